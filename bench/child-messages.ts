import type { ChildProcess } from 'node:child_process'

/** The value under this name in the next message of a child process that has it. */
export const answer = <T>(child: ChildProcess, name: string) =>
  new Promise<T>((resolve) => {
    const listen = (message: Record<string, unknown>) => {
      if (!(name in message)) return
      child.off('message', listen)
      resolve(message[name] as T)
    }
    child.on('message', listen)
  })

/** Sends a question to a child process, and returns its answer under the same name. */
export function ask<T>(child: ChildProcess, name: string, value: unknown): Promise<T> {
  const answered = answer<T>(child, name)
  child.send({ [name]: value })
  return answered
}
