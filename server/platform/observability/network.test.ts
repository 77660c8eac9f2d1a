import { expect, test } from 'vitest'
import { isInside, networkOf, subnetOf } from './network.ts'

test.each([
  ['203.0.113.9', '203.0.113.9', '203.0.113.0/24'],
  ['::ffff:203.0.113.9', '203.0.113.9', '203.0.113.0/24'],
  ['::FFFF:cb00:7109', '203.0.113.9', '203.0.113.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
  ['::1', '0:0:0:0::/64', '0:0:0::/48'],
  ['::', '0:0:0:0::/64', '0:0:0::/48'],
])('R78 %s counts as %s, and as a neighbour in %s', (address, network, subnet) => {
  expect([networkOf(address), subnetOf(address)]).toEqual([network, subnet])
})

test.each([
  ['127.0.0.1', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['10.1.2.3', true],
  ['::ffff:192.168.0.9', true],
  ['172.31.255.255', true],
  ['100.64.0.1', true],
  ['fd00::1', true],
  ['172.32.0.1', false],
  ['198.51.100.7', false],
  ['::ffff:198.51.100.7', false],
  ['2001:db8::1', false],
  ['fe80::1', false],
  ['169.254.169.254', false],
  ['', false],
])('OPS-6 %j is inside the provider’s own network: %s', (address, inside) => {
  expect(isInside(address)).toBe(inside)
})
