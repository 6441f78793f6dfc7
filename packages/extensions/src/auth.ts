/** Hosts enter here for role-based access. */
export {} from "@aiw/executor";
