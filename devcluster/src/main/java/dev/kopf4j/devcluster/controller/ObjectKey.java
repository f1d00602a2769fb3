package dev.kopf4j.devcluster.controller;

/** The place of an object in the store. */
record ObjectKey(String bucket, String namespace, String name) {}
