/** A process of its own that records what is trusted: node add-records.ts NAME COUNT DIR. */
import { createTrustStore } from "../create-trust-store.ts";

const [name = "", count = "0", dir = ""] = process.argv.slice(2);
const store = createTrustStore();
for (let index = 0; index < Number(count); index += 1) {
  const hash = `sha256-${`${name}${index}`.padStart(64, "0")}`;
  await store.add({ subject: "configuration", dir, hash, parts: [name] });
}
