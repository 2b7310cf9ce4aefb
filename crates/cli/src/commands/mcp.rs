//! `tesuji mcp`

use tesuji_arena::{Catalogue, InputError};
use tesuji_mcp::{McpOptions as Server, serve_http, serve_stdio};

use crate::arguments::McpOptions;
use crate::interrupt;
use crate::output::Output;

pub(crate) fn run(catalogue: &Catalogue, options: &McpOptions, output: &mut Output) -> Result<(), InputError> {
    let server = Server {
        catalogue: catalogue.clone(),
        withhold_legal: options.withhold_legal,
        analysis: !options.no_analysis,
        files: options.files,
        seconds: options.seconds,
    };
    interrupt::say("the server is closing");
    match options.http {
        // Standard output belongs to the protocol: nothing else is printed there.
        None => serve_stdio(server, interrupt::flag()),
        Some(address) => serve_http(server, address, interrupt::flag(), |address| {
            if output.is_json() {
                output.listening(address);
            } else {
                output.line(format!("clients connect to http://{address}/mcp; Ctrl-C ends"));
            }
        }),
    }
}
