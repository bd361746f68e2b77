// Types of the modules that pages/build/vite-pages.ts creates. Not a module, so that it applies to all of web/.
declare module '*/content/pages/landing.yaml' {
  export const page: import('../page-shapes.ts').Page<'landing'>
  export const questions: import('../page-shapes.ts').SampleQuestion[]
}
declare module '*/content/pages/about.yaml' {
  export const page: import('../page-shapes.ts').Page<'about'>
}
declare module '*/content/pages/faq.yaml' {
  export const page: import('../page-shapes.ts').Page<'faq'>
}
declare module '*/content/pages/careers.yaml' {
  export const page: import('../page-shapes.ts').Page<'careers'>
}
declare module '*/content/pages/guides.yaml' {
  export const page: import('../page-shapes.ts').Page<'guides'>
}
declare module '*/content/pages/process.yaml' {
  export const page: import('../page-shapes.ts').Page<'process'>
}
declare module '*/content/pages/worked.yaml' {
  export const page: import('../page-shapes.ts').Page<'worked'>
}
declare module '*/content/pages/feedback.yaml' {
  export const page: import('../page-shapes.ts').Page<'feedback'>
}
declare module '*/content/pages/terms.yaml' {
  export const page: import('../page-shapes.ts').Page<'terms'>
}
declare module '*/content/pages/privacy.yaml' {
  export const page: import('../page-shapes.ts').Page<'privacy'>
}
declare module '*/content/pages/templates.yaml' {
  export const page: import('../page-shapes.ts').Page<'templates'>
}
declare module '*/content/pages/formulas.yaml' {
  export const page: import('../page-shapes.ts').Page<'formulas'>
}
