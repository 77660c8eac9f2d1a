const second = 1
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const largestPage = 100

/** The limits and times of the specification. Times in seconds unless the name says otherwise. */
export const limits = {
  code: {
    digits: 6,
    life: 10 * minute,
    /** Time after its success during which the same request gets the same answer. */
    repeatFor: 10 * second,
    entries: 5,
    resendAfter: 60 * second,
    sends: 3,
    pauseAfterSends: 15 * minute,
    /** Number of the wrong entry from which on the customer sees how many entries are left. */
    entriesLeftShownFrom: 3,
    wrongPerPurpose: { limit: 10, window: day },
    wrongWithoutSuccess: 100,
    /** Messages whose code nobody has entered; with entered codes `sendsWithEntered` times as many. */
    sendsPerRecipient: { limit: 10, window: day },
    sendsWithEntered: 6,
    sendsPerAddress: { limit: 30, window: day },
    sendsKeptForSignIn: 2,
    /** Messages per day to one range of numbers; the operator can set another limit. */
    sendsPerRange: 500,
    /** The share of them that may go, in addition, to unconfirmed numbers of the range (R115). */
    unconfirmedOfRange: 0.2,
  },
  session: {
    idle: 15 * minute,
    warning: 2 * minute,
    absolute: 8 * hour,
    stepUp: 5 * minute,
    pending: 10 * minute,
  },
  passkeys: {
    maxCount: 10,
    nameLength: 60,
    /** Time for which a challenge can be answered. */
    challengeLife: 5 * minute,
    tries: { limit: 20, window: hour },
  },
  activity: {
    /** Number of the newest entries of the history that one file holds. */
    maxExported: 20_000,
    /** Equal entries that are one row of the page. */
    maxGrouped: 100,
    exports: { limit: 20, window: hour },
  },
  dataExport: {
    /** Time for which the file of all own data can be downloaded, and for which making it is retried. */
    fileLife: day,
    requests: { limit: 3, window: day },
    /** Entries of the history in the PDF; the JSON has all. */
    pdfEntries: 1000,
    bytes: 67_108_864,
  },
  password: { min: 13, max: 128, remembered: 5 },
  signIn: {
    pause: { limit: 5, window: 15 * minute },
    botCheckFrom: 3,
    block: { limit: 10, window: day },
    attack: { limit: 3, window: day },
    wrongPerAddress: { limit: 60, window: hour },
    wrongPerSubnet: { limit: 300, window: hour },
  },
  /** Time for which a device stays known after a sign-in. */
  device: { knownDays: 180 },
  link: { reset: 30 * minute, lostPhone: 30 * minute, registration: day, invitation: 7 * day, recipient: 7 * day },
  /** Limits for each kind of link that anybody can request by a name. */
  reset: {
    perAccount: { limit: 3, window: hour },
    perAddress: { limit: 10, window: hour },
    byStrangers: { limit: 20, window: day },
    /** Beyond the other limits, one mail before the previous link expires (R119). */
    spaced: { limit: 1, window: 20 * minute },
  },
  registration: {
    perHour: { limit: 5, window: hour },
    perDay: { limit: 10, window: day },
    perEmail: { limit: 3, window: hour },
    /** Time for which the data of a registration is kept if its link is never used. */
    kept: 7 * day,
  },
  phoneConfirmation: {
    /** SMS to an unconfirmed number, from all accounts together; after `window` the number may have another owner. */
    sends: { limit: 2, window: 365 * day },
    /** Other numbers that one account may enter. */
    corrections: { limit: 3, window: day },
  },
  provider: {
    /** Searches of one client key for customers by what is known of them (R142). */
    searches: { limit: 600, window: hour },
  },
  pairing: { visible: 5 * minute, secretBits: 160, period: 30, digits: 6, wrong: { limit: 5, window: 15 * minute } },
  activation: {
    /** Characters of the content that an app scans. */
    contentLength: 512,
    /** Characters of the code that is typed instead. */
    codeLength: 64,
    /** The latest expiry, from now. */
    maxLife: 90 * day,
    /** Time for which a request for the content waits, before the customer can make another. */
    requestLife: 15 * minute,
  },
  seal: {
    /** Codes for one invitation. */
    codes: { limit: 3, window: day },
    /** Invitations to one e-mail address. */
    invitations: { limit: 3, window: day },
    /** Users of one seal by default. */
    maxUsers: 50,
    /** Mails that ask one address whether it wants the reminders of a seal. */
    recipients: { limit: 3, window: day },
    /** Maximum number of rows of a list that is exported to a file. */
    maxExported: 5000,
    exports: { limit: 20, window: hour },
    /** Limits of a file with users to invite. */
    imported: { bytes: 65_536, lines: 200 },
    administratorsShown: 3,
    invitationsShown: 20,
  },
  timestamps: {
    password: { min: 8, max: 128, changes: { limit: 10, window: hour } },
    lowPercent: 10,
    /** Days before the end of a package on which notices are sent. */
    endNoticeDays: [30, 7],
    /** Days on one page of the usage. */
    usageDays: 30,
  },
  documents: {
    codeResendAfter: 60 * second,
    /** Repeated mails of one access code. */
    codes: { limit: 3, window: day },
    uploads: { limit: 20, window: hour },
    /** Preparations to sign in the portal. */
    signings: { limit: 20, window: hour },
    /** Time for which an upload waits for its confirmation. */
    staged: 45 * minute,
    /** Time that a check may take (R44, R46). */
    checkTimeout: 5 * second,
    retryAfter: 60 * second,
  },
  /** Limits on requests to authorities in the check of one file (R104). */
  revocation: {
    /** Certificates that are checked. */
    certificates: 8,
    pathLength: 8,
    calls: 12,
    callTimeout: 4 * second,
    /** Time that all calls may take together. */
    totalTime: 10 * second,
    /** Bytes of an OCSP response. */
    ocspBytes: 65_536,
    /** Bytes of a revocation list. */
    listBytes: 8_388_608,
    /** Bytes of answers that a node caches. */
    cachedBytes: 33_554_432,
  },
  /** Trusted lists (CHK-11). */
  trustedLists: {
    refreshEvery: 6 * hour,
    /** Time after a failure until they are fetched again. */
    retryAfter: hour,
    /** Bytes of one list. */
    bytes: 8_388_608,
    /** Time to fetch one list. */
    fetchTimeout: 30 * second,
    redirects: 3,
    /** Time to verify one list. */
    verifyTimeout: 2 * minute,
    /** Memory to verify one list. */
    memoryMegabytes: 384,
    /** Maximum number of countries. */
    maxCountries: 60,
  },
  fileCheck: {
    /** The largest file that a browser checks. */
    bytes: 52_428_800,
    /** Requests that ask authorities (R182). */
    lookUps: { limit: 60, window: hour },
    lookUpsBySubnet: { limit: 500, window: hour },
    /** Requests to authorities that a node makes at a time. */
    parallel: 40,
  },
  fileSigning: {
    /** Files of one signing. */
    files: 20,
    /** Size of each file. */
    bytes: 52_428_800,
    reasonLength: 100,
    /** Time for which the digests and signatures of a signing are stored. */
    kept: day,
    signings: { limit: 20, window: hour },
    /** Requests of an account for its certificates at the signing service. */
    lists: { limit: 120, window: hour },
  },
  phoneChange: {
    /** Wrong entries in all steps together. */
    wrong: { limit: 5, window: day },
    /** SMS to any new numbers. */
    codes: { limit: 10, window: day },
    /** Delay after the success. */
    redirect: 10 * second,
  },
  renewal: {
    /** Days before its end in which a certificate can be renewed. */
    windowDays: 90,
    /** Days to the latest activation date. */
    aheadDays: 60,
    /** Days of the shortest validity. */
    shortestDays: 30,
    draft: 14 * day,
    pollEvery: 3 * second,
    pollFor: 2 * minute,
  },
  /** Limits of the authorisation by a signing service after the portal's code. */
  signing: {
    /** Time for which the authorisation is awaited. */
    life: 10 * minute,
    tries: 5,
    /** Number of times that the service sends its code. */
    sends: 3,
    resendAfter: 30 * second,
    /**
     * Time that a request to the service may take: 90 seconds for the confirmation, and seven calls of ten seconds around
     * it.
     */
    requestTimeout: 3 * minute,
  },
  voucher: {
    /** Wrong voucher and renewal codes by one account. */
    wrongPerAccount: { limit: 5, window: day },
    /** Wrong voucher and renewal codes from one address. */
    wrongPerAddress: { limit: 20, window: hour },
    /** Codes that the provider can request in one call. */
    maxCodes: 200,
  },
  statusRequest: {
    /** Time in which the provider decides about a request for another status (eIDAS article 24(3)). */
    decideWithin: day,
    /** Time before that deadline at which the operator is alarmed. */
    alarmBefore: 4 * hour,
    /** Time for which a replaced request may still be at the authority, whose call takes ten seconds at most. */
    underWay: 15 * second,
    changes: { limit: 10, window: day },
    revocations: { limit: 5, window: day },
    pollEvery: 2 * second,
  },
  lostPhone: {
    /** Numbers of a document that are compared for one account, after which none is for a whole `window` (R221). */
    numbers: { limit: 5, window: day },
  },
  retention: {
    /** Years for which certificates, agreements and signed documents of an erased account are kept. */
    evidenceYears: 20,
    /** Time for which a message that failed permanently waits for an operator. */
    failedMessages: 30 * day,
  },
  clientKey: {
    /** Requests from one address with an invalid key. */
    wrong: { limit: 60, window: hour },
    perSecond: 20,
    maxPerSecond: 1000,
    /** Seconds' worth of calls that may come at once. */
    burst: 10,
    days: 365,
    maxDays: 1826,
    overlapHours: 24,
  },
  /** Limits of one call. */
  customerImport: {
    bytes: 1_048_576,
    lines: 2000,
    lineBytes: 16_384,
    /** Customers per transaction. */
    perTransaction: 250,
  },
  /** Maximum numbers of entries of the audit trail in one answer. */
  audit: {
    maxPage: 1000,
    /** The number by default. */
    usualPage: 100,
    maxStreamed: 50_000,
  },
  events: {
    /** Time for which an event can be read. */
    kept: 90 * day,
    /** Maximum number of events in one answer. */
    maxPage: 500,
    /** The number by default. */
    usualPage: 100,
  },
  webhooks: {
    /** Time that a delivery may take. */
    callTimeout: 10 * second,
    /** Bytes that are read of the answer to a delivery. */
    answerBytes: 65_536,
    /** Parallel deliveries to one webhook. */
    parallel: 5,
    /** Messages of one webhook in the outbox; further events wait in the feed. */
    maxQueued: 500,
    /** Time for which a replaced secret still signs in addition to the new one. */
    secretOverlap: day,
    urlLength: 1000,
  },
  acceptances: {
    /** Time by which the provider's clock may be ahead when it reports an acceptance (PRV-11). */
    clockAhead: 5 * minute,
  },
  list: { sizes: [20, 50, largestPage], size: 20, largest: largestPage, longFrom: 8, organisations: 50 },
  badge: { amberDays: 60, strongDays: 14 },
  firstReads: {
    /** Time for which a page waits for each of its first reads, before it is sent without that part (HTT-7). */
    waitMs: 1000,
  },
  home: {
    /** Days for which the home page shows what has expired. */
    overDays: 14,
    /** Days for which the home page shows what is new and not used yet. */
    newDays: 60,
    /** Days before its end in which a certificate is first (HOM-3). */
    lastDays: 5,
  },
  reminders: {
    /** Days before a certificate’s end on which its owner is reminded. */
    days: [60, 30, 14, 7, 3, 1],
    /** Number of the last reminders, which cannot be switched off. */
    alwaysSent: 2,
  },
  /** The calendar of expiry dates. */
  calendar: {
    /** Days for which an end stays in it. */
    pastDays: 30,
    /** Maximum number of entries of one kind. */
    entries: 500,
    /** Hours after which programs are to read it again. */
    everyHours: 12,
    /** Reads of one calendar. */
    reads: { limit: 60, window: hour },
    /** Reads of unknown addresses by one network. */
    unknown: { limit: 60, window: hour },
  },
  phone: {
    /** Characters of the field. */
    fieldLength: 25,
    /** Characters of a pasted text. */
    pastedLength: 250,
    /** Digits of a national number. */
    national: { min: 2, max: 17 },
    /** Country lookups from one address. */
    lookups: { limit: 30, window: hour },
  },
  text: { name: 100, login: 64, email: 254, search: 100, note: 300, described: 400, version: 40 },
  /**
   * Requests from one network address to one node: 1000 at once and 100 a second are enough for an office of 200 people
   * who all open the portal at nine.
   */
  requests: {
    perSecond: 100,
    /** Seconds' worth of requests that may come at once. */
    burst: 10,
    /** Addresses that are counted at a time. */
    maxAddresses: 50_000,
  },
  /** CSP reports that a node accepts (R126). */
  cspReports: {
    perSecond: 20,
    /** Bytes of a report. */
    bytes: 16_384,
    /** Violations in a report. */
    violations: 10,
  },
  http: {
    jsonBytes: 64 * 1024,
    urlBytes: 2048,
    headerBytes: 16 * 1024,
    pdfBytes: 10_485_760,
    signatureBytes: 1_048_576,
    /** Time that the sender of a refused body has to read the answer. */
    unreadMs: 1000,
    /**
     * Timeout of an answer that `takesLong`: 90 seconds for the customer’s confirmation, and the calls around it; a million entries of the
     * trail take 60.
     */
    awaitedMs: 150_000,
    /** Time after which to repeat a call that met too much work at once. */
    retryBusy: 5 * second,
  },
  localeCookieDays: 365,
  buildCheckMs: 3_600_000,
  toast: { durationMs: 5000, removeAfterMs: 1_000_000, swipePx: 50 },
  validationDelayMs: 5,
} as const

/** `limit` events within `window` seconds. */
export type Allowance = { limit: number; window: number }
