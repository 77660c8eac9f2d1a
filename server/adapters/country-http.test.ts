import { expect, test } from 'vitest'
import { countryByHttp } from './country-http.ts'
import { listenOnLoopback } from './loopback/loopback-server.ts'

const answerTo = async (body: string, status = 200) => {
  await using service = await listenOnLoopback((_, response) => response.writeHead(status).end(body))
  return await countryByHttp({ url: `${service.url}/{ip}` }).lookUp('198.51.100.7')
}

test.each(['1;PL', '1;PL;POL;Poland', '1;PL\n', '1;PL\r\n'])('PHO-2 the answer %j gives the country', async (body) => {
  expect(await answerTo(body)).toBe('1;PL')
})

const useless = ['', '0', '2;;;UNKNOWN', '1;', '1;POL', '1;pl', '1;PLxx', ' 1;PL', '1,PL', '1;<b>']
test.each([...useless, 'x'.repeat(5000), '1;PL'.padEnd(5000)])('PHO-2 the answer %j gives none', async (body) => {
  expect(await answerTo(body)).toBeUndefined()
})

test.each([204, 404])('PHO-2 an answer with %i gives none', async (status) => {
  expect(await answerTo('1;PL', status)).toBeUndefined()
})

test('PHO-2 the address goes where the template says, for both families', async () => {
  await using service = await listenOnLoopback((_, response) => response.end('1;DE'))
  const byQuery = countryByHttp({ url: `${service.url}/country?key=k&ip={ip}` })
  const byPath = countryByHttp({ url: `${service.url}/{ip}/country` })
  expect(await byQuery.lookUp('2001:db8::1')).toBe('1;DE')
  expect(await byPath.lookUp('198.51.100.7')).toBe('1;DE')
  const paths = service.received.map(({ path }) => path)
  expect(paths).toEqual(['/country?key=k&ip=2001%3Adb8%3A%3A1', '/198.51.100.7/country'])
})

test('R81 only addresses are looked up', async () => {
  await using service = await listenOnLoopback((_, response) => response.end('1;PL'))
  const country = countryByHttp({ url: `${service.url}/{ip}` })
  const paths = [
    '',
    'unknown',
    '../admin',
    '198.51.100.7/../x',
    '198.51.100.7, 10.0.0.1',
    'evil.example',
    '::1\r\nX: y',
  ]
  for (const address of paths) expect(await country.lookUp(address)).toBeUndefined()
  expect(service.connections()).toBe(0)
})
