// What the linter looks for in the page: mistakes, not taste. rustfmt's counterpart is the width of 120 columns.

const browser = ["AbortController", "AudioContext", "Blob", "CustomEvent", "DOMParser", "Event", "IntersectionObserver",
  "URL", "URLSearchParams", "WebSocket", "addEventListener", "btoa", "clearInterval", "clearTimeout", "dispatchEvent",
  "document", "fetch", "localStorage", "location", "matchMedia", "navigator", "performance", "scrollTo", "setInterval",
  "setTimeout"];

export default [{
  files: ["**/*.js"],
  languageOptions: { ecmaVersion: 2024, sourceType: "module",
    globals: Object.fromEntries(browser.map((name) => [name, "readonly"])) },
  rules: {
    "no-undef": "error",
    "no-unused-vars": ["error", { args: "after-used", argsIgnorePattern: "^_" }],
    "no-const-assign": "error",
    "no-dupe-keys": "error",
    "no-dupe-class-members": "error",
    "no-unreachable": "error",
    "no-self-assign": "error",
    "no-cond-assign": "error",
    "no-constant-condition": "error",
    "no-eval": "error",
    "no-implied-eval": "error",
    "no-var": "error",
    "prefer-const": "error",
    "eqeqeq": "error",
    "no-fallthrough": "error",
    "no-unsafe-finally": "error",
    "no-duplicate-imports": "error",
    "max-len": ["error", { code: 120 }],
  },
}];
