package dev.kopf4j.devcluster.strategy.core;

