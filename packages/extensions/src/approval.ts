/** Hosts enter here for the ways people are asked. */
export {} from "@aiw/executor";
