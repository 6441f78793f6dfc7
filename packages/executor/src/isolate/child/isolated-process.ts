import { Socket } from "node:net";
import { CallServer } from "./call-server.ts";

/** The descriptor on which host and process speak; standard streams belong to the package. */
const CHANNEL = 3;

/** What runs in the process of an isolated package: it ends when its host does. */
new CallServer(new Socket({ fd: CHANNEL }), () => process.kill(process.pid, "SIGKILL"));
