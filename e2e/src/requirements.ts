/** What strangers are promised across packages; each id has a test whose title begins with it. */
export const REQUIREMENTS = {
  "USE-1": "tools of an installed plugin are listed with package, version and source",
  "USE-2": "a tool is called by name and prints a ToolResult",
  "USE-3": "an unsafe call without a person is refused with exit code 3 and says what would allow it; --yes allows it",
  "USE-4": "an uninstalled plugin's tools are gone",
  "USE-5": "a third-party package of twenty lines is used like a built-in one",
  "USE-6": "a wrong call names every wrong path, expected and received, and a working example",
  "USE-7": "an unknown tool is answered with the nearest names",
  "USE-8": "the library runs the same tools as the command",
  "USE-9": "an interrupted call stops what it started and ends with exit code 130",
  "USE-10": "two calls at once do not disturb each other",
  "USE-11": "an agent framework drives the same tools: offered, called, refused",
  "USE-12": "every built-in tool works on the oldest line of Node that is supported",
  "BAD-1": "a broken package harms nobody and is reported with a fix",
  "BAD-2": "a package that ends its process at import harms nobody and is in the report",
  "LIST-1": "listing runs no package's code and loads no validator",
} as const;
