import { constants } from "node:fs";

/** Opens what stands at a path for reading: no link in its place is followed, no pipe waited for. */
export const READ_DIRECTLY: number = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
