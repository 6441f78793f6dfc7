import { parentPort, workerData } from "node:worker_threads";
import { convertHtml, type ConvertRequest } from "./convert-html.ts";

// A thread for one page: it ends with its answer, or is ended by its owner.
parentPort?.postMessage(convertHtml(workerData as ConvertRequest));
