import { expect, test } from 'vitest'
import { isSettings } from '../tools/checks/guide-blocks.ts'
import { operatorBlocks, placeOf } from './guide-machines.ts'
import { guideSections } from './operate.ts'

test('OPS-21 every command of the guide for operators says on which machine it runs, in a section that the drill follows', () => {
  const blocks = operatorBlocks().filter((block) => !isSettings(block))
  expect(blocks.length).toBeGreaterThan(20)
  const places = new Set(blocks.map((block) => placeOf(block).place))
  expect([...places].toSorted()).toEqual(
    ['each node', 'one node', 'one node after another', "the database's machine", 'the proxy'].toSorted(),
  )
  expect([...new Set(blocks.map(({ section }) => section))]).toEqual(guideSections)
  expect(() => placeOf({ guide: '', section: '', language: 'sh', lines: ['apt-get update'] })).toThrow('apt-get update')
})
