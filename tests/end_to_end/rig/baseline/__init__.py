# SPDX-License-Identifier: Apache-2.0
"""The parts of claim_baseline.py: cluster (calls), observe (waiting), volumes (what is claimed),
claim (the orders).
"""
