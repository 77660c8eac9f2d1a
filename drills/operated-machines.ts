import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { atMost, type Figure } from '../bench/figures.ts'
import { pause } from './acknowledged-load.ts'
import { openAuthority, startServices } from './drill-services.ts'
import type { DrillRelease } from './drill-releases.ts'
import { openGuide, type ProseStep, type Machines, type Step } from './guide-machines.ts'
import { runImage } from './image-run.ts'
import { openNetwork, startMachine, type Machine } from './machines.ts'
import type { OperateOrder } from './operate.ts'
import { openVisitor, openVisits, type Site, type Visit } from './portal-visitors.ts'

const [{ folder, debian, publicKey, before, current }] = (await once(process, 'message')) as [OperateOrder]

const addresses = { database: '10.0.0.21', 'node-1': '10.0.0.11', 'node-2': '10.0.0.12', proxy: '10.0.0.4' }
const customersAddresses = ['10.0.0.101', '10.0.0.102', '10.0.0.103', '10.0.0.104']
const hosts = `${addresses.database} database.provider.example
10.0.0.1 mail.provider.example sms.provider.example
${addresses.proxy} portal.example
`

// Without the drill that started it, nobody would see the rest.
process.on('disconnect', () => process.exit(1))

let steps = 0
/** Does a step and prints it with its number and how long it took. */
const step: Step = async (what, work) => {
  const began = performance.now()
  const print = (result: string) =>
    process.stdout.write(
      `${String(++steps).padStart(3)} ${result.padEnd(6)} ${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${what}\n`,
    )
  try {
    const result = await work()
    print('ok')
    return result
  } catch (error) {
    print('FAILED')
    throw error
  }
}
const heading = (text: string) => process.stdout.write(`\n${text}\n`)

const put = (machine: Machine, path: string, content: string, mode = 0o600) =>
  writeFileSync(join(machine.root, path), content, { mode })
const readOn = (machine: Machine, path: string) => readFileSync(join(machine.root, path), 'utf8')

const authority = openAuthority(join(folder, 'authority'))
openNetwork(customersAddresses)
const services = await startServices(authority)

/** What the guide's text says besides its commands: which files to bring, and what to change in them. */
const passwords = { owner: randomBytes(24).toString('hex'), requests: randomBytes(24).toString('hex') }
const address = (login: string, password: string) =>
  `postgres://${login}:${password}@database.provider.example/sygnet?sslmode=verify-full&sslrootcert=/etc/sygnet/ca.pem`
const secrets = {
  'database-url': address('sygnet', passwords.requests),
  'database-owner-url': address('sygnet_owner', passwords.owner),
  'smtp-url': services.smtpUrl,
  'sms-token': services.smsToken,
  's3-secret': services.bucket.secret,
  'ca.pem': authority.ca,
}

function bringRelease({ nodes }: Machines, { folder: release }: DrillRelease) {
  for (const node of nodes) {
    cpSync(release, join(node.root, 'root'), { recursive: true })
    cpSync(publicKey, join(node.root, 'root/sygnet.pub'))
  }
}

function configure({ nodes }: Machines) {
  const { secret: _, ...bucket } = services.bucket
  for (const node of nodes) {
    const path = 'etc/sygnet/sygnet.json'
    const {
      CSC_URL,
      CSC_CLIENT_ID,
      CSC_CLIENT_SECRET_FILE,
      TSA_URL,
      SIGNATURE_ANCHORS_FILE,
      TRUSTED_LISTS_URL,
      TRUSTED_LISTS_CERTIFICATES_FILE,
      ...example
    } = JSON.parse(readOn(node, path)) as object & {
      [name: string]: unknown
    }
    const changed = {
      ...example,
      ...bucket,
      HOST: node.address,
      PUBLIC_URL: 'https://portal.example',
      TRUSTED_PROXIES: [addresses.proxy],
      MAIL_FROM: 'portal@portal.example',
      SMS_GATEWAY: 'generic',
      SMS_URL: services.smsUrl,
      // Without a signing service and trust anchors.
      FEATURES_OFF: ['software', 'signing', 'renewal', 'file-signing', 'file-check', 'documents'],
    }
    put(node, path, JSON.stringify(changed), 0o644)
  }
}

const proseSteps: readonly ProseStep[] = [
  {
    section: 'Install',
    before: 'install --owner=postgres',
    what: 'bring: the certificate of the database',
    work({ database }) {
      const { cert, key } = authority.issue('database.provider.example')
      put(database, 'root/database.pem', cert)
      put(database, 'root/database.key', key)
    },
  },
  {
    section: 'Install',
    before: 'minisign',
    what: `bring: the release ${before.version} of ${before.commit}, and the key that verifies it`,
    work: (machines) => bringRelease(machines, before),
  },
  {
    section: 'Install',
    before: 'install --directory --owner=sygnet --mode=0700',
    what: 'bring: the secrets, the same on both nodes',
    work({ nodes }) {
      for (const [name, value] of Object.entries({ ...secrets, 'master-key': readOn(nodes[0], 'root/master-key') }))
        for (const node of nodes) put(node, join('root', name), value)
    },
  },
  {
    section: 'Install',
    before: 'sygnet check',
    what: 'change: sygnet.json, to the addresses and services of the drill',
    work: configure,
  },
  {
    section: 'Install',
    before: 'cp --recursive nginx/.',
    what: 'bring: the folder nginx from the node, with the certificate of portal.example',
    work({ nodes, proxy }) {
      cpSync(join(nodes[0].root, 'root/nginx'), join(proxy.root, 'root/nginx'), { recursive: true })
      const { cert, key } = authority.issue('portal.example')
      put(proxy, 'root/nginx/portal.pem', cert)
      put(proxy, 'root/nginx/portal.key', key)
    },
  },
  {
    section: 'Upgrade',
    before: 'minisign',
    what: `bring: the release ${current.version} of ${current.commit}`,
    work: (machines) => bringRelease(machines, current),
  },
  {
    section: 'Restore',
    before: 'mv /var/lib/postgresql',
    what: 'meanwhile the proxy answers with its own page',
    async work() {
      const { status, body } = await openVisitor(site, customersAddresses[0]!).send('GET', '/')
      if (status < 500 || !body.includes('Wawel')) throw new Error(`The proxy answers ${status}.`)
    },
  },
]

heading('Machines')
const machines = {} as Record<keyof typeof addresses, Machine>
for (const name of Object.keys(addresses) as (keyof typeof addresses)[])
  await step(`boot ${name}, ${addresses[name]}`, async () => {
    machines[name] = await startMachine({ name, address: addresses[name], debian, folder, hosts })
  })
const { database, proxy } = machines
const nodes = [machines['node-1'], machines['node-2']] as const
const guide = openGuide({ database, nodes, proxy }, step)
const site: Site = {
  origin: 'https://portal.example',
  proxy: addresses.proxy,
  ca: authority.ca,
  clientKey: () => readOn(nodes[0], 'root/back-office.key').trim(),
  mails: services.mails,
  texts: services.texts,
}
const visitor = openVisitor(site, customersAddresses[0]!)

heading('Install')
await guide.run(
  'Install',
  [
    [/PASSWORD/, passwords.owner],
    [/PASSWORD/, passwords.requests],
    [/VERSION/g, before.version],
  ],
  proseSteps,
)
await step('a customer is invited by mail, sets a password, and signs in with the code of a text message', () =>
  visitor.register(),
)

await step('a document is filed, and downloaded from each node', async () => {
  await visitor.download(await visitor.fileDocument(await visitor.register()))
})
await step('the process that reads PDFs confines itself under the unit: no alarm', async () => {
  for (const node of nodes) await node.run('! journalctl --quiet --unit=sygnet | grep -F pdf-process-unconfined')
})

heading('A node is killed during sign-ins')
const killed = await step('kill -9 of each node in turn; the other serves, and systemd starts it again', async () => {
  const visits = openVisits(site, customersAddresses)
  for (const node of nodes) {
    await visits.untilSignedIn(4)
    await node.run('systemctl kill --signal=SIGKILL --kill-whom=main sygnet')
    await visits.untilSignedIn(4)
    await node.run('until curl --fail --silent http://127.0.0.1:9464/readyz; do sleep 0.2; done')
    await pause(2000)
  }
  return visits.stop()
})
const lostAtKill = await countLost(killed)

heading('Upgrade')
const upgrading = openVisits(site, customersAddresses)
await upgrading.untilSignedIn(2)
await guide.run('Upgrade', [[/VERSION/g, current.version]], proseSteps)
await upgrading.untilSignedIn(4)
const upgraded = await upgrading.stop()
await step(`both nodes run ${current.version}`, async () => {
  for (const node of nodes)
    await node.run(`curl --silent http://127.0.0.1:9464/metrics | grep -F 'version="${current.version}"'`)
})
const lostAtUpgrade = await countLost(upgraded)

heading('Back up')
await guide.run('Back up', [])
const afterBackup = openVisits(site, customersAddresses.slice(0, 2))
await afterBackup.untilSignedIn(4)
const later = await afterBackup.stop()
const withDocument = await visitor.register()
const document = await visitor.fileDocument(withDocument)

heading('Restore')
await guide.run('Restore', [], proseSteps)
await step('a customer from after the backup signs in, and downloads a document from after the backup', async () => {
  await visitor.signInAgain(withDocument)
  await visitor.download(document)
})
const lostAtRestore = await countLost(later)
await guide.run('The audit trail', [])
guide.requireDone()

heading('Containers')
await nodes[0].run('systemctl stop sygnet')
await nodes[1].run('systemctl stop sygnet')
await runImage({
  image: join(current.folder, `sygnet-${current.version}-${process.platform}-${process.arch}.oci.tar`),
  folder: join(folder, 'container'),
  node: nodes[1],
  step,
})
await step('served by the container alone, a customer is invited, signs in and downloads a document', async () => {
  await visitor.download(await visitor.fileDocument(await visitor.register()))
})

const figures: Figure[] = [
  lost('killed nodes: answered and lost', lostAtKill, killed),
  {
    what: 'killed nodes: calls that failed',
    value: killed.failed.length,
    unit: 'calls',
    // Those that the killed node was serving.
    limit: atMost(2 * customersAddresses.length),
    detail: `${killed.sessions.length} sign-ins ${killed.failed.join('; ')}`,
  },
  lost('upgrade: answered and lost', lostAtUpgrade, upgraded),
  {
    what: 'upgrade: calls that failed',
    value: upgraded.failed.length,
    unit: 'calls',
    limit: atMost(0),
    detail: `${upgraded.sessions.length} sign-ins ${upgraded.failed.join('; ')}`,
  },
  lost('restore: answered and lost', lostAtRestore, later),
]
// All that was started ends with this process, which is the first of its namespace.
process.send!(figures, () => process.exit())

function lost(what: string, value: number, { customers, sessions }: { customers: Visit[]; sessions: Visit[] }): Figure {
  return { what, value, unit: 'actions', limit: atMost(0), detail: `of ${customers.length + sessions.length}` }
}

/** How many customers and sessions that were answered are not there. */
async function countLost({ customers, sessions }: { customers: Visit[]; sessions: Visit[] }): Promise<number> {
  let missing = 0
  for (const customer of customers) if (!(await visitor.isCustomer(customer))) missing++
  for (const session of sessions) if (!(await visitor.isSignedIn(session))) missing++
  return missing
}
