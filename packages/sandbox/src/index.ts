/** Hosts enter here to confine processes. */
export {} from "node:process";
