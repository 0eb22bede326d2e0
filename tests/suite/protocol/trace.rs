//! Finds the shape of types with a deserializer that generates values and records the calls of each type.
//!
//! A pass reads one value and sees one variant of each enum in it, so there is a pass for every variant of every enum.
//! Recursive types are not supported: they would never end.

use std::collections::{BTreeMap, BTreeSet};

use commlib::Form;
use engine::JavaRandom;
use serde::de::DeserializeOwned;

use super::{
    pass::{Pass, Target},
    types::{Shape, Types},
};

/// The variant of each enum that a pass generates.
pub(crate) type Choices = BTreeMap<&'static str, usize>;

/// The types that a message consists of.
pub(crate) fn types<T: DeserializeOwned>() -> Types {
    let (binary, _) = explore::<T>(Form::Binary);
    let (json, _) = explore::<T>(Form::Json);
    Types::both(binary, json)
}

/// Random values. Each variant of each enum occurs in at least `each` of them.
pub(crate) fn samples<T: DeserializeOwned>(each: usize) -> Vec<T> {
    let (_, plans) = explore::<T>(Form::Binary);
    let sample = |(choices, seed): (&Choices, i64)| {
        let mut pass = Pass::new(Form::Binary, choices);
        pass.random = Some(JavaRandom::new(seed));
        T::deserialize(pass.value(&mut None)).ok()
    };
    // A type may reject some generated values, but not all of them.
    let samples = |choices| {
        let found: Vec<T> = (0..1000).filter_map(|seed| sample((choices, seed))).take(each).collect();
        assert_eq!(found.len(), each, "values for {choices:?}");
        found
    };
    plans.iter().flat_map(samples).collect()
}

/// All types in one form, and the choices that lead to each variant of each enum.
fn explore<T: DeserializeOwned>(form: Form) -> (Types, Vec<Choices>) {
    let mut types = Types::default();
    let mut plans = vec![Choices::new()];
    let (mut seen, mut probed) = (BTreeSet::new(), BTreeSet::new());
    let (mut at, mut optional) = (0, Vec::new());
    while let Some(mut choices) = plans.get(at).cloned() {
        at += 1;
        let mut pass = Pass::new(form, &choices);
        let read = T::deserialize(pass.value(&mut None)).map(drop);
        read.unwrap_or_else(|error| panic!("{choices:?}: {error}"));
        let Pass { met, types: found, targets, .. } = pass;
        for (name, count, chosen) in met {
            if seen.insert(name) {
                plans.extend((0..count).map(|number| {
                    let mut plan = choices.clone();
                    plan.insert(name, number);
                    plan
                }));
            }
            choices.insert(name, chosen);
        }
        types.join(found);
        if form == Form::Json {
            let new = targets.into_iter().filter(|target| probed.insert(*target));
            optional.extend(new.filter(|target| may_be_left_out::<T>(&choices, *target)));
        }
    }
    optional.into_iter().for_each(|target| mark(&mut types, target));
    (types, plans)
}

fn may_be_left_out<T: DeserializeOwned>(choices: &Choices, target: Target) -> bool {
    let mut pass = Pass::new(Form::Json, choices);
    pass.left_out = Some(target);
    T::deserialize(pass.value(&mut None)).is_ok()
}

fn mark(types: &mut Types, (name, variant, field): Target) {
    let fields = match (types.0.get_mut(name), variant) {
        (Some(Shape::Struct(fields)), None) => Some(fields),
        (Some(Shape::Enum(variants)), Some(number)) => variants.get_mut(&number).and_then(|v| v.fields.as_mut()),
        _ => None,
    };
    fields.expect("it was found a moment ago")[field].optional = true;
}
