/** One section of a legal text. {support} and {privacy} stand for the addresses of those who run it. */
export interface LegalSection {
  heading: string
  text: string
}

/** Terms and Conditions: 11 sections (specification, section 2, /auth, and section 9, Legal text). */
export const TERMS: LegalSection[] = [
  {
    heading: 'Acceptance of the terms',
    text: 'By creating an account or continuing as a guest you accept these terms.',
  },
  {
    heading: 'What the service is',
    text: 'Superday offers practice questions, progress statistics, guides, and timed assessments that university finance societies run.',
  },
  {
    heading: 'Your account',
    text: 'Keep your password to yourself, and give an e-mail address that you can read. A guest session has no password, and its progress is lost when the session ends.',
  },
  {
    heading: 'Fair use',
    text: 'Use the service for your own preparation. Do not disturb it, copy it as a whole, or sign in as somebody else.',
  },
  {
    heading: 'Assessments of societies',
    text: 'A society decides who takes its assessment and what the result means. An assessment is taken alone, once, and by its rules.',
  },
  {
    heading: 'Content',
    text: 'Questions are written in the style of real interviews, for learning. They are no investment, legal or tax advice.',
  },
  {
    heading: 'What belongs to whom',
    text: 'The questions and texts belong to their authors. Your answers and results are yours.',
  },
  {
    heading: 'Availability',
    text: 'We work to keep the service running and correct, and cannot promise that it always is.',
  },
  {
    heading: 'Ending',
    text: 'You may stop at any time. We may end an account that breaks these terms.',
  },
  {
    heading: 'Changes to these terms',
    text: 'We give 30 days notice before a material change takes effect.',
  },
  {
    heading: 'Contact',
    text: 'Questions about these terms: {support} Questions about your data: {privacy}',
  },
]

/** Privacy Policy: 11 sections. */
export const PRIVACY: LegalSection[] = [
  {
    heading: 'Who is responsible',
    text: 'Those who run this installation of Superday. Write to {privacy}',
  },
  {
    heading: 'What we collect',
    text: 'Your e-mail address and password (stored only as a hash), and, if you give them, your degree, university and year of studies.',
  },
  {
    heading: 'What comes of use',
    text: 'Your answers, results, streak and the days on which you practiced.',
  },
  {
    heading: 'Why we use it',
    text: 'To sign you in, to show your progress, and to build the practice from your mistakes.',
  },
  {
    heading: 'Assessments of societies',
    text: 'The society that runs an assessment receives its results and the record of what happened during it.',
  },
  {
    heading: 'Who else receives it',
    text: 'Nobody else. Nothing is sold, and no page loads anything from another site.',
  },
  {
    heading: 'Storage in your browser',
    text: 'Your session, your settings and tests that are not saved yet are kept in your browser. There are no advertising cookies.',
  },
  {
    heading: 'How long we keep it',
    text: 'As long as the account exists. Guest sessions are removed after a time without use.',
  },
  {
    heading: 'Your rights',
    text: 'You may ask what is held on you, have it corrected, or have it deleted: {privacy}',
  },
  { heading: 'Children', text: 'The service is not for children under 13.' },
  {
    heading: 'Changes and contact',
    text: 'We say so on this page when something changes. Support: {support} Privacy: {privacy}',
  },
]
