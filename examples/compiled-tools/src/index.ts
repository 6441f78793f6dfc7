/** Whoever wants the compiled example tools enters here. */
export { addDays } from "./add-days.ts";
export { Ledger } from "./ledger.ts";
export { splitBill } from "./split-bill.ts";
export { splitWords } from "./split-words.ts";
