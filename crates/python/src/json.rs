//! Results as plain Python objects.

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde_json::Value;

/// A JSON value as dictionaries, lists, numbers, texts and `None`.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Null => Ok(py.None().into_bound(py)),
        Value::Bool(truth) => truth.into_bound_py_any(py),
        Value::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
            (Some(whole), _, _) => whole.into_bound_py_any(py),
            (_, Some(whole), _) => whole.into_bound_py_any(py),
            (_, _, float) => float.into_bound_py_any(py),
        },
        Value::String(text) => text.into_bound_py_any(py),
        Value::Array(values) => {
            let list = PyList::empty(py);
            for value in values {
                list.append(to_python(py, value)?)?;
            }
            Ok(list.into_any())
        }
        Value::Object(entries) => {
            let dictionary = PyDict::new(py);
            for (key, value) in entries {
                dictionary.set_item(key, to_python(py, value)?)?;
            }
            Ok(dictionary.into_any())
        }
    }
}
