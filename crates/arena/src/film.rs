//! A match as one self-contained page: its pictures, one after another.

use tesuji_core::Picture;
use tesuji_core::drawing::escape;

/// Pictures with captions, to be leafed through.
#[derive(Clone, Debug)]
pub struct Film {
    title: String,
    frames: String,
}

impl Film {
    /// An empty film.
    pub fn new(title: &str) -> Film {
        Film { title: escape(title), frames: String::new() }
    }

    /// Appends a picture.
    pub fn frame(&mut self, caption: &str, picture: &Picture) {
        let svg = picture.svg();
        self.frames += &format!("<figure>{svg}<figcaption>{}</figcaption></figure>\n", escape(caption));
    }

    /// The page: HTML with everything inside, readable without scripts (then all pictures stand below each other).
    pub fn page(&self) -> String {
        let Film { title, frames } = self;
        format!(
            r#"<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font-family: system-ui, sans-serif; max-width: 60rem; margin: 1rem auto; padding: 0 1rem; text-align: center; }}
h1 {{ font-size: 1.2rem; }}
figure {{ margin: 0 0 1rem; }}
figure svg {{ width: min(100%, 34rem); height: auto; border-radius: 6px; }}
.player figure {{ display: none; }}
.player figure.shown {{ display: block; }}
nav {{ display: none; gap: .5rem; justify-content: center; align-items: center; margin: .5rem; }}
.player nav {{ display: flex; }}
input {{ flex: 1; max-width: 24rem; }}
</style></head>
<body>
<h1>{title}</h1>
<nav><button id="back" aria-label="one step back">◀</button>
<input id="at" type="range" min="0" value="0" aria-label="step">
<button id="on" aria-label="one step on">▶</button><button id="run" aria-label="run">run</button></nav>
<main>
{frames}</main>
<script>
const frames = [...document.querySelectorAll("figure")], at = document.getElementById("at");
let timer;
const show = (step) => {{
  at.value = Math.max(0, Math.min(frames.length - 1, step));
  frames.forEach((frame, index) => frame.classList.toggle("shown", index === +at.value));
}};
const pause = () => {{ clearInterval(timer); timer = undefined; document.getElementById("run").textContent = "run"; }};
const run = () => {{
  if (timer) return pause();
  if (+at.value === frames.length - 1) show(0);
  document.getElementById("run").textContent = "pause";
  timer = setInterval(() => {{ show(+at.value + 1); if (+at.value === frames.length - 1) pause(); }}, 500);
}};
document.body.classList.add("player");
at.max = frames.length - 1;
at.oninput = () => show(+at.value);
document.getElementById("back").onclick = () => show(+at.value - 1);
document.getElementById("on").onclick = () => show(+at.value + 1);
document.getElementById("run").onclick = run;
document.onkeydown = (event) => {{
  if (event.target === at) return;
  if (event.key === "ArrowLeft") show(+at.value - 1);
  if (event.key === "ArrowRight") show(+at.value + 1);
}};
show(0);
</script>
</body></html>
"#
        )
    }
}
