//! Connects the tools to clients: standard input and output, or HTTP on loopback.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use base64::Engine as _;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::{RequestContext, ServerInitializeError};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use tesuji_arena::{InputError, VERSION};
use tokio::net::TcpListener;

use crate::calls::Answer;
use crate::tools::{TOOLS, ToolText};
use crate::{Calls, McpOptions};

/// What a client reads first.
const INSTRUCTIONS: &str = "\
    Play board, card and dice games. `list_games` and `rules` describe them; `start_match` starts a match in which you \
    play the seats called `client`; `act` chooses an action, which must be legal letter by letter; `show` shows the \
    position. Nothing is ever replaced: an illegal act is refused, and you choose again.";

/// How often the end of the server is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// One connection.
#[derive(Clone)]
struct Server {
    calls: Arc<Calls>,
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("tesuji", VERSION))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(TOOLS.iter().map(tool).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let calls = Arc::clone(&self.calls);
        let (name, arguments) = (request.name, request.arguments.unwrap_or_default());
        let asked = name.clone();
        // Agents think for seconds, so a call has a thread of its own.
        let called = tokio::task::spawn_blocking(move || calls.call(&asked, &arguments)).await;
        let called = called.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        let called = called.ok_or_else(|| ErrorData::invalid_params(format!("there is no tool `{name}`"), None))?;
        Ok(called.map_or_else(refusal, result).into())
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        TOOLS.iter().find(|known| known.name == name).map(tool)
    }
}

fn tool(known: &ToolText) -> Tool {
    let schema = known.schema().as_object().cloned().unwrap_or_default();
    let mut tool = Tool::new(known.name, known.description, Arc::new(schema));
    tool.annotations = Some(ToolAnnotations::new().read_only(known.reads).open_world(false));
    tool
}

/// The board first, because models read it best; then everything as JSON; then the picture.
fn result(answer: Answer) -> CallToolResult {
    let Answer { value, text, svg } = answer;
    let mut content: Vec<ContentBlock> = text.map(ContentBlock::text).into_iter().collect();
    content.push(ContentBlock::text(value.to_string()));
    if let Some(svg) = svg {
        let data = base64::engine::general_purpose::STANDARD.encode(svg);
        content.push(ContentBlock::image(data, "image/svg+xml"));
    }
    let mut result = CallToolResult::success(content);
    result.structured_content = Some(value);
    result
}

/// A call that was refused: the client reads why.
fn refusal(error: InputError) -> CallToolResult {
    let help = error.help_text().map(|help| format!(" ({help})")).unwrap_or_default();
    CallToolResult::error(vec![ContentBlock::text(format!("{error}{help}"))])
}

/// Serves one client on standard input and output until it closes them, or until `stop` is set.
pub fn serve_stdio(options: McpOptions, stop: &AtomicBool) -> Result<(), InputError> {
    let server = Server { calls: Arc::new(Calls::new(options)) };
    runtime()?.block_on(async {
        let serving = async {
            let running = match server.serve(rmcp::transport::stdio()).await {
                Ok(running) => running,
                // Whoever closes the input before saying anything wants nothing.
                Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
                Err(error) => return Err(InputError::new(format!("the client did not begin: {error}"))),
            };
            running.waiting().await.map(drop).map_err(|error| InputError::new(error.to_string()))
        };
        tokio::select! {
            ended = serving => ended,
            () = stopped(stop) => Ok(()),
        }
    })
}

/// Serves clients over HTTP at `/mcp` until `stop` is set. Refuses addresses that other machines reach. `listening` is
/// told the address.
pub fn serve_http(
    options: McpOptions,
    address: SocketAddr,
    stop: &AtomicBool,
    mut listening: impl FnMut(SocketAddr),
) -> Result<(), InputError> {
    serve_http_at(options, address, stop, &mut listening)
}

/// Not generic, so that the server is compiled in this crate alone.
fn serve_http_at(
    options: McpOptions,
    address: SocketAddr,
    stop: &AtomicBool,
    listening: &mut dyn FnMut(SocketAddr),
) -> Result<(), InputError> {
    if !address.ip().is_loopback() {
        return Err(InputError::new(format!("`{address}` is reached by other machines"))
            .with_help("the server has no passwords, so it listens on loopback only, such as 127.0.0.1:8765"));
    }
    let server = Server { calls: Arc::new(Calls::new(options)) };
    let failed = |error: std::io::Error| InputError::new(format!("cannot listen on {address}: {error}"));
    runtime()?.block_on(async {
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        listening(listener.local_addr().map_err(failed)?);
        // A page of a browser is not a client: requests with an origin are refused.
        let config = StreamableHttpServerConfig::default().enforce_origin_validation();
        let service =
            StreamableHttpService::new(move || Ok(server.clone()), Arc::new(LocalSessionManager::default()), config);
        let router = axum::Router::new().route_service("/mcp", service);
        tokio::select! {
            ended = axum::serve(listener, router) => ended.map_err(failed),
            () = stopped(stop) => Ok(()),
        }
    })
}

fn runtime() -> Result<tokio::runtime::Runtime, InputError> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| InputError::new(format!("no threads: {error}")))
}

async fn stopped(stop: &AtomicBool) {
    while !stop.load(Ordering::SeqCst) {
        tokio::time::sleep(LOOK_EVERY).await;
    }
}
