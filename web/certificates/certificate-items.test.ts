import { expect, test } from 'vitest'
import { byOrganisation } from './certificate-items.tsx'

test('SIG-9 urgent ones come first, then each organisation once, in the order in which it first occurs', () => {
  const items = ['B!', 'A', '', 'B', 'A!', 'A', 'B']
  const groups = byOrganisation(items, {
    firstTitle: { pl: 'Wkrótce wygasają', en: 'Expiring soon' },
    isFirst: (item) => item.endsWith('!'),
    organisationOf: (item) => item || null,
  })
  expect(groups.map(({ title, isOwner = false, items: grouped }) => [title?.en, isOwner, grouped])).toEqual([
    ['Expiring soon', false, ['B!', 'A!']],
    ['A', true, ['A', 'A']],
    ['No company', false, ['']],
    ['B', true, ['B', 'B']],
  ])
})
