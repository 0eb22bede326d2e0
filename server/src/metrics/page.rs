//! The text format 0.0.4 of Prometheus.

use std::fmt::{Display, Write};

use crate::counters::Histogram;

/// The media type of a page.
pub(crate) const MEDIA_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

const NANOSECONDS: f64 = 1e9;

/// Metrics in the served format, one family after another.
#[derive(Debug, Default)]
pub(crate) struct Page {
    text: String,
}

impl Page {
    pub(crate) fn counter(&mut self, name: &str, help: &str, value: u64) {
        self.family(name, "counter", help);
        self.sample(name, None, value);
    }

    pub(crate) fn gauge(&mut self, name: &str, help: &str, value: impl Display) {
        self.family(name, "gauge", help);
        self.sample(name, None, value);
    }

    /// A counter with one sample for each value of a label.
    pub(crate) fn counters<L: AsRef<str>>(
        &mut self,
        name: &str,
        help: &str,
        label: &str,
        values: impl Iterator<Item = (L, u64)>,
    ) {
        self.family(name, "counter", help);
        values.for_each(|(of, value)| self.sample(name, Some((label, of.as_ref())), value));
    }

    pub(crate) fn histogram(&mut self, name: &str, help: &str, histogram: &Histogram) {
        self.buckets(name, help, histogram, |value| value as f64);
    }

    /// A histogram of nanoseconds, served in seconds as Prometheus recommends.
    pub(crate) fn durations(&mut self, name: &str, help: &str, histogram: &Histogram) {
        self.buckets(name, help, histogram, |value| value as f64 / NANOSECONDS);
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }

    fn buckets(&mut self, name: &str, help: &str, histogram: &Histogram, unit: fn(u64) -> f64) {
        self.family(name, "histogram", help);
        let bucket = format!("{name}_bucket");
        for (bound, count) in histogram.up_to() {
            self.sample(&bucket, Some(("le", &unit(bound).to_string())), count);
        }
        let count = histogram.count();
        self.sample(&bucket, Some(("le", "+Inf")), count);
        self.sample(&format!("{name}_sum"), None, unit(histogram.sum()));
        self.sample(&format!("{name}_count"), None, count);
    }

    fn family(&mut self, name: &str, kind: &str, help: &str) {
        let help = help.replace('\\', "\\\\").replace('\n', "\\n");
        self.line(format_args!("# HELP {name} {help}\n# TYPE {name} {kind}"));
    }

    fn sample(&mut self, name: &str, label: Option<(&str, &str)>, value: impl Display) {
        match label {
            None => self.line(format_args!("{name} {value}")),
            Some((label, of)) => {
                let of = of.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
                self.line(format_args!("{name}{{{label}=\"{of}\"}} {value}"));
            }
        }
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        writeln!(self.text, "{line}").expect("a string takes everything");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind() {
        let mut page = Page::default();
        page.counter("a_total", "How many.", 3);
        page.gauge("b", "How much.", 1.5);
        page.counters("c_total", "By kind.", "kind", [("x", 1), ("y", 0)].into_iter());
        let histogram = Histogram::new(&[500_000, 2_000_000_000]);
        [1, 500_000_000, 3_000_000_000].into_iter().for_each(|value| histogram.observe(value));
        page.durations("d_seconds", "How long.", &histogram);
        let expected = "\
# HELP a_total How many.
# TYPE a_total counter
a_total 3
# HELP b How much.
# TYPE b gauge
b 1.5
# HELP c_total By kind.
# TYPE c_total counter
c_total{kind=\"x\"} 1
c_total{kind=\"y\"} 0
# HELP d_seconds How long.
# TYPE d_seconds histogram
d_seconds_bucket{le=\"0.0005\"} 1
d_seconds_bucket{le=\"2\"} 2
d_seconds_bucket{le=\"+Inf\"} 3
d_seconds_sum 3.500000001
d_seconds_count 3
";
        assert_eq!(page.into_text(), expected);
    }

    #[test]
    fn what_has_a_meaning_is_escaped() {
        let mut page = Page::default();
        page.counters("a", "One \\ and \"two\"\nlines.", "of", [("\\ \" \n", 1)].into_iter());
        let expected = "\
# HELP a One \\\\ and \"two\"\\nlines.
# TYPE a counter
a{of=\"\\\\ \\\" \\n\"} 1
";
        assert_eq!(page.into_text(), expected);
    }
}
