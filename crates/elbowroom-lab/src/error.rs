//! Why an experiment could not be run, in words for people.

use std::path::PathBuf;

/// Why an experiment could not be run.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// There is no such folder or file.
    #[error(
        "{} is missing: --data DIR names a folder that holds kuka_lbr_iiwa_7_r800_pr117/lbr_iiwa_7_r800.urdf \
         and mecademic_meca500_r3/meca_500_r3.urdf with the packages of their meshes beside them (from the \
         ROS-Industrial package kuka_experimental, pull request 117, and Mecademic's ROS package)",
        .0.display()
    )]
    NoData(PathBuf),
    /// There is no Puma 260.
    #[error(
        "{} is missing: --data DIR names a folder that holds puma260/bottleneck.toml and puma260/path.csv, \
         as this repository's `robots` does (`cargo xtask puma260` writes them)",
        .0.display()
    )]
    NoPuma(PathBuf),
    /// There is no cell of two arms.
    #[error(
        "{} is missing: --data DIR names a folder that holds rrc_cell/cell.toml and its scripts, as this \
         repository's `robots` does (`cargo xtask rrc-cell` writes them)",
        .0.display()
    )]
    NoCell(PathBuf),
    /// There is no hand.
    #[error(
        "{} is missing: --data DIR names a folder that holds sdh2/hand.toml, as this repository's `robots` \
         does (`cargo xtask sdh2` writes it)",
        .0.display()
    )]
    NoHand(PathBuf),
    /// The robot cannot be read.
    #[error("{0}")]
    Files(#[from] elbowroom_files::Faults),
    /// The robot cannot be compiled, or is not one for this experiment.
    #[error("{robot}: {why}")]
    Robot {
        /// Which.
        robot: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// A figure could not be drawn.
    #[error("a figure could not be drawn: {0}")]
    Figure(String),
}
