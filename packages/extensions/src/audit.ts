/** Hosts enter here for the record of calls. */
export {} from "@aiw/executor";
