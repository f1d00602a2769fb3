package dev.kopf4j.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads whole numbers of 64 bits; other texts are refused with a message for people. */
final class WholeNumberConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException e) {
            throw new TypeConversionException("'" + text + "' is not a whole number");
        }
    }
}
