import { parseUrl, type WebTarget } from "@aiw/core/node";

/** Turns a page that shows one file of a code host into the address of the file itself. */
export function toRawFileTarget(target: WebTarget): WebTarget {
  if (target.url.protocol !== "https:" || target.port !== 443 || target.url.search !== "") return target;
  const path = target.url.pathname;
  if (target.hostname === "github.com") {
    const [, owner, name, kind, ...rest] = path.split("/");
    if (kind !== "blob" || rest.length < 2 || rest.includes("")) return target;
    return parseUrl(`https://raw.githubusercontent.com/${owner}/${name}/${rest.join("/")}`);
  }
  if (target.hostname === "gitlab.com" && path.includes("/-/blob/")) {
    return parseUrl(`https://gitlab.com${path.replace("/-/blob/", "/-/raw/")}`);
  }
  return target;
}
