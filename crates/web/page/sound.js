// Sounds of a match: off until the reader wants them.

import { recall, remember } from "./memory.js";

/** Are there sounds? */
export function soundOn() {
  return recall("sound", false);
}

/** Turns sounds on or off. */
export function switchSound() {
  remember("sound", !soundOn());
  if (soundOn()) click();
}

let context = null;

/** The sound of a step: a short knock. */
export function click(pitch = 220) {
  if (!soundOn()) return;
  context ??= new AudioContext();
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.type = "triangle";
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(0.12, context.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + 0.12);
  tone.connect(volume).connect(context.destination);
  tone.start();
  tone.stop(context.currentTime + 0.13);
}
