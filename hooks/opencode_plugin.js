// Counts which files of a cortexfs tree agents read, and checks what they write there.
// Written by `cortexfs setup opencode --plugin`; `cortexfs setup opencode --remove` removes it.
import { spawn } from "node:child_process"

const NOTE = "@NOTE@"
const FLUSH = "@FLUSH@"
const GUARD = "@GUARD@"
const READ_TOOLS = ["read", "grep", "bash"]
const WAIT_MS = 10000

// Runs a hook with an event on its input; gives what it prints. A hook that fails changes nothing.
function run(command, event) {
  return new Promise((resolve) => {
    let text = ""
    const child = spawn("/bin/sh", ["-c", command], { stdio: ["pipe", "pipe", "ignore"], timeout: WAIT_MS })
    child.on("error", () => resolve(""))
    child.on("close", () => resolve(text))
    child.stdin.on("error", () => {})
    child.stdout.on("data", (part) => { text += part })
    child.stdin.end(JSON.stringify(event))
  })
}

// Gives the arguments of a write as the guard knows them, null for other tools.
function writeOf(tool, args) {
  if (tool === "write") return { file_path: args.filePath, content: args.content }
  if (tool !== "edit") return null
  const { filePath, oldString, newString, replaceAll } = args
  return { file_path: filePath, old_string: oldString, new_string: newString, replace_all: replaceAll === true }
}

async function askGuard(name, tool, args, directory) {
  const input = writeOf(tool, args ?? {})
  if (!input) return {}
  const answer = await run(GUARD, { hook_event_name: name, cwd: directory, tool_name: tool, tool_input: input })
  try { return JSON.parse(answer || "{}") } catch { return {} }
}

export const CortexfsPlugin = async ({ directory }) => ({
  "tool.execute.before": async (input, output) => {
    const answer = await askGuard("BeforeTool", input.tool, output.args, directory)
    if (answer.decision === "deny") throw new Error(answer.reason)
  },
  "tool.execute.after": async (input, output) => {
    if (READ_TOOLS.includes(input.tool)) await run(NOTE, { ...input, output, directory })
    const answer = await askGuard("AfterTool", input.tool, input.args, directory)
    const found = answer.hookSpecificOutput?.additionalContext
    if (found && typeof output.output === "string") output.output += "\n" + found
  },
  event: async ({ event }) => {
    if (event.type === "session.idle") await run(FLUSH, {})
  },
})
