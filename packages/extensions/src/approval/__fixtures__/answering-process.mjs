// A process of its own that answers what it is told of: yes to the file it was named, no to every other.
const wanted = process.argv[2];

process.on("message", (notice) => {
  const asked = notice.type === "approval_list" ? notice.approvals : notice.type === "approval_pending" ? [notice.approval] : [];
  for (const { id, request } of asked) {
    const answer =
      request.arguments.path === wanted
        ? { decision: "allow", remember: "turn", answeredBy: "the other process" }
        : { decision: "deny", reason: `Only ${wanted}.` };
    process.send({ type: "approval_answer", id, answer });
  }
});
process.send({ type: "approval_list" });
