import type { PageConfig } from '../page-config.ts'

const link = 'https://shop.example'

/** A configuration with everything switched on, for tests of the browser's part that run without a page. */
export const samplePageConfig: PageConfig = {
  baseURL: '',
  assets: '/assets/',
  botCheck: { kind: 'altcha', siteKey: '' },
  brand: {
    product: 'Sygnet',
    company: 'Sygnet TEST',
    phone: '+48 22 100 20 30',
    email: 'help@sygnet.example',
    hours: { from: '8:00', to: '17:00' },
    links: {
      renewal: link,
      newSignature: link,
      seal: link,
      timestamp: link,
      salesPoints: link,
      suspension: link,
      knowledgeStart: link,
      knowledgePdf: link,
      documents: link,
    },
  },
  claim: { title: 'Title', text: 'Text' },
  off: [],
  demonstration: false,
  activation: 'provider',
}
