import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPolicyWorkspace, type PolicyWorkspace } from "./__fixtures__/workspace.ts";

let workspace: PolicyWorkspace;

beforeAll(() => {
  workspace = createPolicyWorkspace();
});

afterAll(() => {
  workspace.remove();
});

function judge(command: string) {
  return workspace.judge(command.replaceAll("%ROOT%", workspace.root).replaceAll("%HOME%", workspace.home));
}

/** Every denied form beside a harmless twin (SEC-SH-12). */
const PAIRS: readonly (readonly [rule: string, denied: string, twin: string])[] = [
  ["protected_tree", "rm -rf /", "rm -rf ./src"],
  ["protected_tree", "rm -rf /*", "rm -rf ./src/*"],
  ["protected_tree", "rm -fr //", "rm -fr src//deep"],
  ["protected_tree", "rm --recursive --force /", "rm --recursive src"],
  ["protected_tree", "rm --rec /", "rm --rec src"],
  ["protected_tree", "rm / -rf", "rm src -rf"],
  ["protected_tree", "rm -r -- /", "rm -r -- -x"],
  ["protected_tree", "rm -rf ~", "rm -rf ~/old"],
  ["protected_tree", "rm -rf ~/", "rm -rf ~/root/src"],
  ["protected_tree", "rm -rf $HOME/", "rm -rf $HOME/old"],
  ["protected_tree", 'rm -rf "$HOME"', 'rm -rf "$HOME/old"'],
  ["protected_tree", "rm -rf ${HOME}/.", "rm -rf ${HOME}/old/."],
  ["protected_tree", "rm -rf %HOME%", "rm -rf %HOME%-old"],
  ["protected_tree", "rm -rf .", "rm -rf ./src"],
  ["protected_tree", "rm -rf ..", "rm -rf src/deep/.."],
  ["protected_tree", "rm -rf %ROOT%", "rm -rf %ROOT%/src"],
  ["protected_tree", "rm -rf ./*", "rm -rf ./*.txt"],
  ["protected_tree", "rm -rf ./*/../..", "rm -rf ./src/deep/../deep"],
  ["protected_tree", "rm -rf src/../../root", "rm -rf src/../b.txt"],
  ["protected_tree", "rm -rf inside/..", "rm -rf inside"],
  ["protected_tree", "rm -rf {/,x}", "rm -rf {src,x}"],
  ["protected_tree", "rm -rf '/'", "rm -rf '/x/y'"],
  ["protected_tree", "r\\m -rf /", "r\\m -rf src"],
  ["protected_tree", "'rm' -rf $'\\x2f'", "'rm' -rf src"],
  ["protected_tree", "cd / && rm -rf *", "cd src && rm -rf *"],
  ["protected_tree", "cd ..; rm -rf root", "cd src; rm -rf deep"],
  ["protected_tree", "(cd src; true); rm -rf ../root", "(cd src; rm -rf deep)"],
  ["protected_tree", "rm -rf /mnt/dis?", "rm -rf /mnt/dis?/x"],
  ["protected_tree", "rm -rf /*/", "rm -rf ./src/*/"],
  ["protected_tree", "rm -rf /*/*", "rm -rf ./src/*/*"],
  ["protected_tree", "rm -rf ~/*/../r*/", "rm -rf ~/*/../x*/"],
  ["protected_tree", "rm -rf /m?t/disk", "rm -rf /m?t/disk/old"],
  ["protected_tree", "find ~ -mindepth 1 -delete", "find src -mindepth 1 -delete"],
  ["protected_tree", "rm -rf /mnt/[a-d]*", "rm -rf /mnt/[!a-d]*"],
  ["protected_tree", "rm -rf %HOME%/r*", "rm -rf %HOME%/x*"],
  ["protected_tree", "rm -rf /mnt/disk", "rm -rf /mnt/disk/old"],
  ["protected_tree", "echo $(rm -rf /)", "echo 'rm -rf /'"],
  ["protected_tree", "cat <(rm -rf /)", "cat <(ls)"],
  ["protected_tree", "cat <<EOF\n$(rm -rf /)\nEOF", "cat <<'EOF'\n$(rm -rf /)\nEOF"],
  ["protected_tree", "x=$(rm -rf /) ls", "x='rm -rf /' ls"],
  ["protected_tree", "true && false || rm -rf /", "true || rm -rf src"],
  ["protected_tree", "if true; then rm -rf /; fi", "if true; then rm -rf src; fi"],
  ["protected_tree", "f() { rm -rf /; }; f", "f() { rm -rf /tmp/x/y; }; f"],
  ["protected_tree", "sudo -n rm -rf /", "sudo -n rm -rf src"],
  [
    "protected_tree",
    "env A=b nohup nice -n 5 timeout -k 1 5 stdbuf -oL setsid -w ionice -c2 rm -rf /",
    "env A=b nohup nice timeout 5 rm -rf src",
  ],
  ["protected_tree", "exec command builtin rm -rf /", "exec command rm -rf src"],
  ["protected_tree", "bash -c 'sh -ec \"rm -rf /\"'", "bash -c 'sh -ec \"rm -rf src\"'"],
  ["protected_tree", "eval 'rm -rf' /", "eval 'rm -rf' src"],
  ["protected_tree", "watch -n 1 rm -rf /", "watch -n 1 rm -rf src"],
  ["protected_tree", "echo x | xargs rm -rf /", "echo x | xargs echo"],
  ["protected_tree", "find / -delete", "find src -delete"],
  ["protected_tree", "find / -exec rm -rf {} +", "find src -exec rm -rf {} +"],
  ["protected_tree", "find . -exec rm -rf {} \\;", "find . -name '*.pyc' -exec rm -rf {} \\;"],
  ["protected_tree", "find . -delete", "find . -name '*.pyc' -delete"],
  ["protected_tree", "chown -R me /", "chown -R me src"],
  ["protected_tree", "chown me %HOME%", "chown me %HOME%/x"],
  ["protected_tree", "chmod -R 777 /", "chmod -R 755 src"],
  ["protected_tree", "mv %ROOT% /x", "mv src lib"],
  ["protected_tree", "rsync -a --delete x/ /", "rsync -a --delete x/ src/"],
  ["format", "mkfs.ext4 /dev/sda1", "mkfs.ext4 disk.img"],
  ["format", "mkfs -t ext4 /dev/sda1", "mkfs --help"],
  ["raw_device", "dd if=/dev/zero of=/dev/sda", "dd if=/dev/zero of=disk.img"],
  ["raw_device", "echo x > /dev/sda", "echo x > /dev/null"],
  ["raw_device", "echo x > /dev/../dev//sda", "echo x > /dev/stderr"],
  ["raw_device", "cat x | tee /dev/nvme0n1", "cat x | tee /dev/null"],
  ["raw_device", "cp x /dev/mem", "cp x /dev/null"],
  ["raw_device", "wipefs -a /dev/sdb", "wipefs --help"],
  ["raw_device", "fdisk /dev/sda", "fdisk -l /dev/sda"],
  ["power", "shutdown -h now", "shutdown -c"],
  ["power", "systemctl reboot", "systemctl status reboot.target"],
  ["power", "init 0", "npm init -y"],
  ["power", "/sbin/poweroff -f", "echo poweroff"],
  ["power", "echo b > /proc/sysrq-trigger", "echo b > sysrq-trigger"],
  ["fork_bomb", ":(){ :|:& };:", "f(){ echo hi; }; f"],
  ["fork_bomb", "bomb() { bomb & bomb; }; bomb", "bomb() { true & true; }; bomb"],
  ["kill_everything", "kill -1", "kill -1 12345"],
  ["kill_everything", "kill -9 -1", "kill -9 12345"],
  ["kill_everything", "kill -s KILL -1", "kill -s KILL 12345"],
  ["kill_everything", "kill -- -1", "kill -- -12345"],
  ["kill_host", "kill -15 4242", "kill -0 4242"],
  ["raw_device", "exec 3<>/dev/sda", "exec 3<>/dev/tcp/localhost/80"],
  ["protected_tree", "cd .. && rm -rf $PWD/root; rm -rf root", "cd src && rm -rf $PWD/deep"],
  ["protected_tree", 'rm -rf "$PWD"', 'rm -rf "$PWD/src"'],
  ["kill_host", "kill 4242", "kill 4243"],
  ["kill_host", "kill -TERM -4000", "kill -TERM -4001"],
  ["kill_host", "pkill node", "pkill -x nod"],
  ["kill_host", "pkill -9 'no.e'", "pkill -9 'mo.e'"],
  ["kill_host", "pkill -f server.js", "pkill -f client.js"],
  ["kill_host", "killall node", "killall vite"],
];

describe("judgeCall", () => {
  it.each(PAIRS)("denies by %s: %j, and not %j", (rule, denied, twin) => {
    const { level, finding } = judge(denied);
    expect({ level, rule: finding?.rule }).toEqual({ level: "deny", rule });
    expect(judge(twin).level).not.toBe("deny");
  });

  it.each([
    ["sudo ls", "sudo -n ls"],
    ["vim a.txt", "grep vim a.txt"],
    ["nano", "echo nano"],
    ["less a.txt", "cat a.txt"],
    ["git log | less", "git log | cat"],
    ["python3", "python3 -c 'print(1)'"],
    ["node", "echo 1 | node"],
    ["bash", "bash -c ls"],
    ["npm init", "npm init -y"],
    ["git rebase -i HEAD~2", "git rebase main"],
    ["git -C src commit", "git -C src commit -m x"],
    ["git commit -a", "git commit -am 'x y'"],
    ["git add -p", "git add a.txt"],
    ["ssh host ls", "ssh -o BatchMode=yes host ls"],
    ["docker run -it x sh", "docker run x ls"],
    ["top", "top -b -n 1"],
  ])("fails %j at once, and not %j", (waiting, twin) => {
    const { level, finding } = judge(waiting);
    expect(level).toBe("interactive");
    expect(finding?.instead).toBeTruthy();
    expect(judge(twin).level).not.toBe("interactive");
  });
});
