#!/bin/bash
# A sweep as an array of jobs of Slurm:
#
#   array=$(sbatch --parsable --array=1-64 slurm.sh cell.toml poses.npy reach)
#   sbatch --dependency=afterok:$array slurm.sh cell.toml poses.npy reach
#
# The first line runs 64 jobs, each of which answers its part of the poses into reach.K.npy. The second joins
# them into reach.npy once all have ended, and refuses parts that are missing or do not belong together. A job
# that was ended at its time limit goes on where it was when it is queued again.
#
#SBATCH --cpus-per-task=8
#SBATCH --time=04:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
set -euo pipefail
world=$1 poses=$2 out=$3

if [[ -n "${SLURM_ARRAY_TASK_ID:-}" ]]; then
    # Exit code 1 says that some poses collide, which is what a sweep is run to find out.
    elbowroom sweep "$world" --poses "$poses" --quiet --threads "${SLURM_CPUS_PER_TASK:-0}" \
        --part "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
        --out "$out.$SLURM_ARRAY_TASK_ID.npy" || [[ $? == 1 ]]
else
    elbowroom sweep --merge "$out".*.npy --out "$out.npy" || [[ $? == 1 ]]
fi
