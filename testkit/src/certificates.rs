//! Real certificates, made by `openssl`.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Authorities and certificates in a folder, as PEM files.
#[derive(Debug)]
pub struct Certificates {
    folder: PathBuf,
}

/// A key on a curve, without a password.
const KEY: [&str; 5] = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/// When a certificate is valid: `YYYYMMDDHHMMSSZ`.
#[derive(Clone, Copy, Debug)]
pub struct Validity {
    from: &'static str,
    until: &'static str,
}

impl Validity {
    /// Today.
    pub const NOW: Self = Self { from: "20200101000000Z", until: "20991231000000Z" };
    /// One day of 2020.
    pub const EXPIRED: Self = Self { from: "20200101000000Z", until: "20200102000000Z" };
    /// From 2099 on.
    pub const NOT_YET: Self = Self { from: "20990101000000Z", until: "20991231000000Z" };
}

impl Certificates {
    /// In this folder.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// The path of a file.
    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }

    /// Makes `NAME.pem` and `NAME.key` of an authority.
    ///
    /// # Panics
    /// If `openssl` fails.
    #[must_use]
    pub fn authority(self, name: &str) -> Self {
        let (key, pem, subject) = (format!("{name}.key"), format!("{name}.pem"), format!("/CN={name}"));
        let own = ["req", "-x509", "-days", "2", "-keyout", &key, "-out", &pem, "-subj", &subject];
        self.openssl(&[&own[..], &KEY].concat());
        self
    }

    /// Makes `NAME.pem` and `NAME.key` with a certificate of an authority for subject alternative names, for example `IP:127.0.0.1`.
    ///
    /// # Panics
    /// If `openssl` fails.
    #[must_use]
    pub fn certificate(self, name: &str, authority: &str, names: &str, validity: Validity) -> Self {
        let file = |ending: &str| format!("{name}.{ending}");
        let (key, csr, pem, subject) = (file("key"), file("csr"), file("pem"), format!("/CN={name}"));
        self.openssl(&[&["req", "-keyout", &key, "-out", &csr, "-subj", &subject][..], &KEY].concat());
        // `openssl x509` of this version cannot choose the first and the last moment.
        let settings = format!(
            "[ca]\ndefault_ca=own\n[own]\ndatabase={name}.database\nnew_certs_dir=.\nrand_serial=yes\ndefault_md=sha256\n\
             policy=any\nx509_extensions=extensions\n[any]\ncommonName=supplied\n[extensions]\nsubjectAltName={names}\n"
        );
        self.write(&file("database"), "");
        self.write(&file("conf"), &settings);
        let (conf, of, signed) = (file("conf"), format!("{authority}.pem"), format!("{authority}.key"));
        let Validity { from, until } = validity;
        let chosen = ["ca", "-batch", "-notext", "-config", &conf, "-cert", &of, "-keyfile", &signed];
        let made = ["-in", &csr, "-out", &pem, "-startdate", from, "-enddate", until];
        self.openssl(&[&chosen[..], &made].concat());
        self
    }

    fn write(&self, file: &str, text: &str) {
        fs::write(self.path(file), text).expect("a file in a folder of the test");
    }

    fn openssl(&self, arguments: &[&str]) {
        let done =
            Command::new("openssl").args(arguments).current_dir::<&Path>(&self.folder).output().expect("openssl");
        assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
    }
}
