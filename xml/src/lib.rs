//! The XML documents of the rulebooks that speak XML: read with limits on everything, written as their schemas say.
