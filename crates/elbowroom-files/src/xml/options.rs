//! How XML is parsed.

use crate::limits;
use roxmltree::ParsingOptions;

/// How documents are parsed.
pub(super) fn parsing_options<'d>() -> ParsingOptions<'d> {
    ParsingOptions { allow_dtd: false, nodes_limit: limits::XML_NODES, ..ParsingOptions::default() }
}
