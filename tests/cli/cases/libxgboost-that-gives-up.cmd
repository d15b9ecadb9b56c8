# Stand-ins for the library: one that aborts as it does without memory, one that throws, one of another make.
make_library()
{
    mkdir -p lib && rm -f lib/* && cat > x.c && ${CC:-cc} -shared -fPIC -o lib/libxgboost.so.0 x.c && cp lib/libxgboost.so.0 lib/libxgboost.so
    LD_LIBRARY_PATH=$PWD/lib gpustat forest train data/operations.csv -q --model m.json
    echo "$? $(ls | grep -c m.json)"
}
rest='int XGDMatrixSetFloatInfo(void){return 0;} int XGDMatrixFree(void){return 0;} int XGBoosterCreate(void){return 0;}
int XGBoosterSetParam(void){return 0;} int XGBoosterUpdateOneIter(void){return 0;} int XGBoosterFree(void){return 0;}
int XGBoosterDumpModelEx(void){return 0;} const char *XGBGetLastError(void){return "std::bad_alloc";}'
make_library <<< "$rest void abort(void); int XGDMatrixCreateFromMat_omp(void){abort();}"
make_library <<< "$rest void _exit(int); int XGDMatrixCreateFromMat_omp(void){_exit(127);}"
make_library <<< "$rest int XGDMatrixCreateFromMat_omp(void){return -1;}"
make_library <<< "$rest void raise(int); int XGDMatrixCreateFromMat_omp(void){raise(15); return 0;}"
make_library <<< "int XGDMatrixFree(void){return 0;}"
