//! Network files.

use pulp::Arch;
use tesuji_core::{InputError, Source};

use crate::container::Container;
use crate::numbers::{Numbers, short_bytes};
use crate::{Lineage, Network, Shape};

/// The first line of a network file.
const KIND: &str = "tesuji-network 2";

impl Network {
    /// The text of the network's file.
    pub fn text(&self) -> String {
        self.container().text()
    }

    /// The hash of the file, in hexadecimal digits: two networks with equal hashes are equal.
    pub fn hash(&self) -> String {
        self.container().hash()
    }

    fn container(&self) -> Container {
        let mut fields = self.lineage.fields();
        fields.push(("hidden".to_owned(), self.shape.hidden.to_string()));
        fields.push(("second".to_owned(), self.shape.second.to_string()));
        let mut payload = short_bytes(self.rows.iter().chain(&self.bias));
        let floats = self.dense.iter().chain(&self.dense_bias).chain(&self.out).chain([&self.out_bias]);
        payload.extend(floats.flat_map(|number| number.to_le_bytes()));
        Container { kind: KIND, fields, payload }
    }

    /// Reads a network file; refuses everything that is not exactly what [`text`](Network::text) writes.
    pub fn read(source: &Source) -> Result<Network, InputError> {
        let help = "`tesuji train` writes network files; `tesuji net show FILE` describes one";
        let container = Container::read(KIND, source).map_err(|error| error.with_help(help))?;
        let lineage = Lineage::read(&container, source)?;
        let (hidden, second) = (container.parsed("hidden", source)?, container.parsed("second", source)?);
        let shape = Shape { inputs: lineage.features.inputs, hidden, second }
            .check()
            .map_err(|error| error.in_file(source.name()))?;
        let mut numbers = Numbers::new(&container.payload, source);
        let network = Network {
            lineage,
            shape,
            rows: numbers.shorts(shape.inputs * hidden)?,
            bias: numbers.shorts(hidden)?,
            dense: numbers.floats(hidden * second)?,
            dense_bias: numbers.floats(second)?,
            out: numbers.floats(second)?,
            out_bias: numbers.floats(1)?[0],
            arch: Arch::new(),
        };
        numbers.end()?;
        network.check().map_err(|message| InputError::new(message).in_file(source.name()))?;
        if network.text() != source.text() {
            let message = "the file is not in the form in which it was written";
            return Err(InputError::new(message).in_file(source.name()).with_help(help));
        }
        Ok(network)
    }
}
