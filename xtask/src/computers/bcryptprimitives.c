/* Stands in for bcryptprimitives.dll of Windows, which Wine before 9 lacks: random bytes for hash maps. For
 * programs that are tried under Wine alone. */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T count)
{
    while (count > 0) {
        ULONG part = count < 65536 ? (ULONG)count : 65536;
        if (!RtlGenRandom(bytes, part))
            return FALSE;
        bytes += part;
        count -= part;
    }
    return TRUE;
}
