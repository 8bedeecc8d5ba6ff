// Gives sessions what a cortexfs tree knows, counts which of its files agents read, and checks what
// they write there.
// Written by `cortexfs setup opencode --plugin`; `cortexfs setup opencode --remove` removes it.
import { spawn } from "node:child_process"

const NOTE = "@NOTE@"
const FLUSH = "@FLUSH@"
const GUARD = "@GUARD@"
const INJECT = "@INJECT@"
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

async function ask(command, event) {
  try { return JSON.parse((await run(command, event)) || "{}") } catch { return {} }
}

async function askGuard(name, tool, args, session, directory) {
  const input = writeOf(tool, args ?? {})
  if (!input) return {}
  return ask(GUARD, { hook_event_name: name, session_id: session, cwd: directory, tool_name: tool, tool_input: input })
}

// Gives the text for a session's model that the tree has prepared for an event.
async function inject(event) {
  return (await ask(INJECT, event)).hookSpecificOutput?.additionalContext ?? ""
}

// The bulletin of each session: the same text in each of its requests, or the prompt's cache is lost.
const bulletins = new Map()

function bulletinOf(session, source, directory) {
  const start = { hook_event_name: "SessionStart", source, session_id: session, cwd: directory }
  if (source === "compact" || !bulletins.has(session)) bulletins.set(session, inject(start))
  return bulletins.get(session)
}

export const CortexfsPlugin = async ({ directory }) => ({
  "experimental.chat.system.transform": async (input, output) => {
    const text = input.sessionID && (await bulletinOf(input.sessionID, "startup", directory))
    if (text) output.system.push(text)
  },
  "chat.message": async (input, output) => {
    const last = output.parts.findLast((part) => part.type === "text" && !part.synthetic)
    if (!last) return
    const event = { hook_event_name: "UserPromptSubmit", session_id: input.sessionID, cwd: directory, prompt: last.text }
    const text = await inject(event)
    if (text) output.parts.push({ ...last, id: last.id + "z", text, synthetic: true })
  },
  "tool.execute.before": async (input, output) => {
    const answer = await askGuard("BeforeTool", input.tool, output.args, input.sessionID, directory)
    if (answer.decision === "deny") throw new Error(answer.reason)
  },
  "tool.execute.after": async (input, output) => {
    const answer = READ_TOOLS.includes(input.tool)
      ? await ask(NOTE, { ...input, output, directory })
      : await askGuard("AfterTool", input.tool, input.args, input.sessionID, directory)
    const found = answer.hookSpecificOutput?.additionalContext
    if (found && typeof output.output === "string") output.output += "\n" + found
  },
  event: async ({ event }) => {
    const session = event.properties?.sessionID
    if (event.type === "session.idle") await run(FLUSH, { hook_event_name: "Stop", session_id: session, cwd: directory })
    if (event.type === "session.compacted") await bulletinOf(session, "compact", directory)
  },
})
