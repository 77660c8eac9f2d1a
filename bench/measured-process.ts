import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { PasswordHasher } from '../server/platform/portal.ts'

/** Returns the number of passwords that a hasher with no other work checks per second. */
export async function measureChecksPerSecond(hasher: PasswordHasher, seconds: number) {
  const encoded = await hasher.hash('Dobre-Haslo-2026!')
  const started = performance.now()
  const end = started + seconds * 1000
  let checks = 0
  const worker = async () => {
    while (performance.now() < end) {
      await hasher.verify(encoded, 'Dobre-Haslo-2026!')
      checks++
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  return checks / ((performance.now() - started) / 1000)
}

/** Waits for the child process's next message that contains this name, and returns the value. */
export const nextMessageValue = <T>(child: ChildProcess, name: string) =>
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
  const answered = nextMessageValue<T>(child, name)
  child.send({ [name]: value })
  return answered
}

/** Returns the memory of a process in megabytes, now or at its peak; 0 if the process has ended. */
export function residentMegabytes(pid: number, field: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1000
  } catch {
    return 0
  }
}
