/** Unlike any other process's; drawn once, since a call takes less time than drawing one. */
const PROCESS_ID = crypto.randomUUID();

let count = 0;

/** Makes the id of a call that was given none; no other call has it. */
export function createCallId(): string {
  count += 1;
  return `${PROCESS_ID}-${count.toString(36)}`;
}
