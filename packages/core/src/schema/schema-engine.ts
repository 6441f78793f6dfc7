/** The validator: imported as a whole, since of CommonJS that is imported by a call, bundlers that split code keep no named export. */
export { Ajv2020 } from "ajv/dist/2020.js";
export { fullFormats } from "ajv-formats/dist/formats.js";
