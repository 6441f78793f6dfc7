/** Hosts enter here for limits of how often calls are made. */
export {} from "@aiw/executor";
