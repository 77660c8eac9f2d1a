import { expect, test } from 'vitest'
import { headLinks } from './pages.ts'

test('RTE-9 a page has its own address as the canonical one, and names its other languages', () => {
  expect(headLinks('https://p.example', 'en', '/faq')).toEqual([
    { rel: 'canonical', href: 'https://p.example/en/faq' },
    { rel: 'alternate', hreflang: 'pl', href: 'https://p.example/faq' },
    { rel: 'alternate', hreflang: 'en', href: 'https://p.example/en/faq' },
    { rel: 'alternate', hreflang: 'x-default', href: 'https://p.example/faq' },
  ])
  expect(headLinks('', 'en', '/')[0]).toEqual({ rel: 'canonical', href: '/en' })
})
