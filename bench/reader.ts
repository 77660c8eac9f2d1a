import { Agent, request } from 'node:http'

/** A process of its own that reads an address repeatedly, and reports the sorted times in milliseconds. */
const [url, cookie] = process.argv.slice(2) as [string, string]
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

const read = () =>
  new Promise<void>((resolve, reject) => {
    const sent = request(url, { agent, headers: { cookie } }, (got) => {
      if (got.statusCode !== 200) reject(new Error(`${url}: ${got.statusCode}`))
      got.resume().on('end', resolve)
    })
    sent.on('error', reject).end()
  })

async function timesUntil(end: () => boolean) {
  const times: number[] = []
  while (!end()) {
    const before = performance.now()
    await read()
    times.push(performance.now() - before)
  }
  return times.toSorted((a, b) => a - b)
}

let stopped = false
process.on('message', (message: 'start' | 'stop') => {
  stopped = message === 'stop'
  if (!stopped) void timesUntil(() => stopped).then((times) => process.send!({ times }))
})
process.send!({ reading: true })
