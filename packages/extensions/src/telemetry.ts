/** Hosts enter here for spans and metrics of calls. */
export {} from "@aiw/executor";
