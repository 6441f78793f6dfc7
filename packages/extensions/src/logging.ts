/** Hosts enter here for structured logs of calls. */
export {} from "@aiw/executor";
